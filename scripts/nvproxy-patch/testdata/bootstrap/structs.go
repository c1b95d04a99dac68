package nvgpu

import "unsafe"

// UVM_TOY_FREE_PARAMS_V120 is the updated version of UVM_TOY_FREE_PARAMS since
// 120.00.09.
type UVM_TOY_FREE_PARAMS_V120 struct {
	Base     uint64
	RMStatus uint32
	Pad0     [4]byte
}

// GetStatus is what the driver said.
func (p *UVM_TOY_FREE_PARAMS_V120) GetStatus() uint32 { return p.RMStatus }

// SetStatus sets it.
func (p *UVM_TOY_FREE_PARAMS_V120) SetStatus(status uint32) { p.RMStatus = status }

// TOY_CHANNEL_PARAMS_V120 is the updated version of TOY_CHANNEL_PARAMS.
type TOY_CHANNEL_PARAMS_V120 struct {
	TOY_CHANNEL_PARAMS
	Size uint64
}

// TOY_P2P_WINDOW is new.
type TOY_P2P_WINDOW struct {
	Gpa uint64
}

// TOY_P2P_PARAMS_V120 is the updated version of TOY_P2P_PARAMS.
type TOY_P2P_PARAMS_V120 struct {
	TOY_P2P_PARAMS
	Window TOY_P2P_WINDOW
}

// TOY_MAP_PARAMETERS_V120 is the updated version of TOY_MAP_PARAMETERS.
type TOY_MAP_PARAMETERS_V120 struct {
	TOY_MAP_PARAMETERS
	Flags uint64
}

// SizeBytes is generated in the real one.
func (p *TOY_MAP_PARAMETERS_V120) SizeBytes() int {
	return int(unsafe.Sizeof(TOY_MAP_PARAMETERS_V120{}))
}

const _ = uint(16 - unsafe.Sizeof(UVM_TOY_FREE_PARAMS_V120{}))
