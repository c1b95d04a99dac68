// Package nvgpu declares the records of a small proxy, which replaces nvproxy in tests.
package nvgpu

import "unsafe"

// ClassID is an allocation class.
type ClassID uint32

// Handle is a handle.
type Handle struct{ Val uint32 }

// P64 is a pointer of the application.
type P64 uint64

// Limits and statuses of the driver.
const (
	RMAPI_PARAM_COPY_MAX_PARAMS_SIZE = 1 * 1024 * 1024

	NV_OK                   = 0
	NV_ERR_INVALID_ARGUMENT = 0x1f
)

// NVOS54_PARAMETERS is the parameter of a control command's ioctl.
type NVOS54_PARAMETERS struct {
	Params     P64
	ParamsSize uint32
	Status     uint32
}

// NVOS64_PARAMETERS is the parameter of the ioctl that allocates an object.
type NVOS64_PARAMETERS struct {
	HClass      ClassID
	PAllocParms P64
	Status      uint32
}

// Memory is an application's.
type Memory interface {
	CopyInBytes(addr uint64, dst []byte) (int, error)
	CopyOutBytes(addr uint64, src []byte) (int, error)
}

// Bytes are the bytes of a record. In gVisor, go_marshal generates its methods.
func Bytes[T any](record *T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(record)), unsafe.Sizeof(*record))
}

// Control commands.
const (
	NV2080_CTRL_CMD_TOY_GET_INFO   = 0x20801101
	NV2080_CTRL_CMD_TOY_GET_STATUS = 0x20801104
	NV2080_CTRL_CMD_TOY_SET_LIMIT  = 0x20801201
)

// Allocation classes.
const (
	TOY_CHANNEL = 0x0000906f
	TOY_P2P     = 0x0000503b
)

// UVM ioctls.
const (
	UVM_TOY_FREE = 34
	UVM_TOY_MAP  = 33
)

// Frontend ioctls.
const (
	NV_ESC_TOY_MAP = 0x57
)

// NV0000_CTRL_TOY_HEAD is at the beginning of other records.
type NV0000_CTRL_TOY_HEAD struct {
	Index uint32
}

// NV2080_CTRL_TOY_GET_STATUS_PARAMS is read.
type NV2080_CTRL_TOY_GET_STATUS_PARAMS struct {
	FD int32
}

// TOY_CHANNEL_PARAMS is the parameter of TOY_CHANNEL.
type TOY_CHANNEL_PARAMS struct {
	HVASpace Handle
	Flags    uint32
}

// TOY_P2P_PARAMS is the parameter of TOY_P2P.
type TOY_P2P_PARAMS struct {
	Base uint64
}

// UVM_TOY_FREE_PARAMS is the parameter of UVM_TOY_FREE.
type UVM_TOY_FREE_PARAMS struct {
	Base     uint64
	Length   uint64
	RMStatus uint32
	Pad0     [4]byte
}

// GetStatus is what the driver said.
func (p *UVM_TOY_FREE_PARAMS) GetStatus() uint32 { return p.RMStatus }

// SetStatus sets it.
func (p *UVM_TOY_FREE_PARAMS) SetStatus(status uint32) { p.RMStatus = status }

// UVM_TOY_MAP_PARAMS is the parameter of UVM_TOY_MAP.
type UVM_TOY_MAP_PARAMS struct {
	RMStatus uint32
}

// GetStatus is what the driver said.
func (p *UVM_TOY_MAP_PARAMS) GetStatus() uint32 { return p.RMStatus }

// SetStatus sets it.
func (p *UVM_TOY_MAP_PARAMS) SetStatus(status uint32) { p.RMStatus = status }

// TOY_MAP_PARAMETERS is the parameter of NV_ESC_TOY_MAP.
type TOY_MAP_PARAMETERS struct {
	Offset uint64
}

// SizeBytes is generated in the real one.
func (p *TOY_MAP_PARAMETERS) SizeBytes() int { return int(unsafe.Sizeof(TOY_MAP_PARAMETERS{})) }

// Sizes.
var (
	SizeofToyMapParameters = uint32((*TOY_MAP_PARAMETERS)(nil).SizeBytes())
)
