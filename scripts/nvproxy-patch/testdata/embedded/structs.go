package nvgpu

// NV2080_CTRL_TOY_GET_LIST_PARAMS points to memory of the application.
type NV2080_CTRL_TOY_GET_LIST_PARAMS struct {
	Count uint32
	Pad0  [4]byte
	List  P64
}

// SizeBytes is generated in the real one.
func (p *NV2080_CTRL_TOY_GET_LIST_PARAMS) SizeBytes() int { return len(Bytes(p)) }

// CopyIn is generated in the real one.
func (p *NV2080_CTRL_TOY_GET_LIST_PARAMS) CopyIn(from Memory, addr uint64) (int, error) {
	return from.CopyInBytes(addr, Bytes(p))
}

// CopyOut is generated in the real one.
func (p *NV2080_CTRL_TOY_GET_LIST_PARAMS) CopyOut(to Memory, addr uint64) (int, error) {
	return to.CopyOutBytes(addr, Bytes(p))
}

// NV0080_CTRL_TOY_GET_CAPS_PARAMS points to memory of the application.
type NV0080_CTRL_TOY_GET_CAPS_PARAMS struct {
	InSize   uint32
	CapsSize uint32
	In       P64
	Caps     P64
}

// SizeBytes is generated in the real one.
func (p *NV0080_CTRL_TOY_GET_CAPS_PARAMS) SizeBytes() int { return len(Bytes(p)) }

// CopyIn is generated in the real one.
func (p *NV0080_CTRL_TOY_GET_CAPS_PARAMS) CopyIn(from Memory, addr uint64) (int, error) {
	return from.CopyInBytes(addr, Bytes(p))
}

// CopyOut is generated in the real one.
func (p *NV0080_CTRL_TOY_GET_CAPS_PARAMS) CopyOut(to Memory, addr uint64) (int, error) {
	return to.CopyOutBytes(addr, Bytes(p))
}

// NV0000_CTRL_TOY_GET_ONE_PARAMS points to memory of the application.
type NV0000_CTRL_TOY_GET_ONE_PARAMS struct {
	NV0000_CTRL_TOY_HEAD
	One P64
}

// SizeBytes is generated in the real one.
func (p *NV0000_CTRL_TOY_GET_ONE_PARAMS) SizeBytes() int { return len(Bytes(p)) }

// CopyIn is generated in the real one.
func (p *NV0000_CTRL_TOY_GET_ONE_PARAMS) CopyIn(from Memory, addr uint64) (int, error) {
	return from.CopyInBytes(addr, Bytes(p))
}

// CopyOut is generated in the real one.
func (p *NV0000_CTRL_TOY_GET_ONE_PARAMS) CopyOut(to Memory, addr uint64) (int, error) {
	return to.CopyOutBytes(addr, Bytes(p))
}

// NV0000_CTRL_TOY_SHARE_PARAMS has file descriptors of the application.
type NV0000_CTRL_TOY_SHARE_PARAMS struct {
	POsEvent P64
	Cap      uint64
	FD       int32
	Pad0     [4]byte
}

// SizeBytes is generated in the real one.
func (p *NV0000_CTRL_TOY_SHARE_PARAMS) SizeBytes() int { return len(Bytes(p)) }

// CopyIn is generated in the real one.
func (p *NV0000_CTRL_TOY_SHARE_PARAMS) CopyIn(from Memory, addr uint64) (int, error) {
	return from.CopyInBytes(addr, Bytes(p))
}

// CopyOut is generated in the real one.
func (p *NV0000_CTRL_TOY_SHARE_PARAMS) CopyOut(to Memory, addr uint64) (int, error) {
	return to.CopyOutBytes(addr, Bytes(p))
}

// TOY_SESSION_PARAMS is the parameter of TOY_SESSION.
type TOY_SESSION_PARAMS struct {
	Cap      uint64
	POsEvent P64
}

// SizeBytes is generated in the real one.
func (p *TOY_SESSION_PARAMS) SizeBytes() int { return len(Bytes(p)) }

// CopyIn is generated in the real one.
func (p *TOY_SESSION_PARAMS) CopyIn(from Memory, addr uint64) (int, error) {
	return from.CopyInBytes(addr, Bytes(p))
}

// CopyOut is generated in the real one.
func (p *TOY_SESSION_PARAMS) CopyOut(to Memory, addr uint64) (int, error) {
	return to.CopyOutBytes(addr, Bytes(p))
}
