// nvidia 110.05.00, x86_64-linux-gnu

package nvgpu

import (
	"structs"
	"unsafe"
)

// NV_CHANNEL_ALLOC_PARAMS_V110 is the updated version of
// NV_CHANNEL_ALLOC_PARAMS since 110.05.00.
//
// +marshal
type NV_CHANNEL_ALLOC_PARAMS_V110 struct {
	_ structs.HostLayout
	NV_CHANNEL_ALLOC_PARAMS
	EngineGroup uint32
	Timeslice   uint32
}

// NV2080_CTRL_DEMO_GET_OWNER_PARAMS is from
// src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h.
//
// +marshal
type NV2080_CTRL_DEMO_GET_OWNER_PARAMS struct {
	_      structs.HostLayout
	Engine uint32
	Since  uint32
	Pid    uint32 // pid
}

// NV2080_CTRL_GPU_GET_ENGINES_PARAMS is from
// src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080gpu.h.
//
// +marshal
type NV2080_CTRL_GPU_GET_ENGINES_PARAMS struct {
	_           structs.HostLayout
	EngineCount uint32
	Pad0        [4]byte
	EngineList  P64
}

// NvUUID is NvProcessorUuid.
//
// +marshal
type NvUUID [16]uint8

// UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110 is the updated version of
// UVM_MAP_EXTERNAL_ALLOCATION_PARAMS since 110.05.00.
//
// +marshal
type UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110 struct {
	_                  structs.HostLayout
	Base               uint64
	Length             uint64
	PerGPUAttributes   [8]UvmGpuMappingAttributes
	GPUAttributesCount uint64
	RMCtrlFD           int32
	HMemory            Handle
	RMStatus           uint32
	Pad0               [4]byte
}

// GetFrontendFD implements HasFrontendFD.GetFrontendFD.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110) GetFrontendFD() int32 {
	return p.RMCtrlFD
}

// SetFrontendFD implements HasFrontendFD.SetFrontendFD.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110) SetFrontendFD(fd int32) {
	p.RMCtrlFD = fd
}

// GetStatus implements HasStatus.GetStatus.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110) GetStatus() uint32 {
	return p.RMStatus
}

// SetStatus implements HasStatus.SetStatus.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110) SetStatus(status uint32) {
	p.RMStatus = status
}

// These are the driver's sizes and offsets. If the compiler's differ, an index
// is not 0, and the file does not compile.
func _() {
	var x [1]struct{}
	_ = x[unsafe.Sizeof(NV_CHANNEL_ALLOC_PARAMS_V110{})-136]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.NV_CHANNEL_ALLOC_PARAMS)-0]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.EngineGroup)-128]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.Timeslice)-132]
	_ = x[unsafe.Sizeof(NV2080_CTRL_DEMO_GET_OWNER_PARAMS{})-12]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_GET_OWNER_PARAMS{}.Engine)-0]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_GET_OWNER_PARAMS{}.Since)-4]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_GET_OWNER_PARAMS{}.Pid)-8]
	_ = x[unsafe.Sizeof(NV2080_CTRL_GPU_GET_ENGINES_PARAMS{})-16]
	_ = x[unsafe.Offsetof(NV2080_CTRL_GPU_GET_ENGINES_PARAMS{}.EngineCount)-0]
	_ = x[unsafe.Offsetof(NV2080_CTRL_GPU_GET_ENGINES_PARAMS{}.Pad0)-4]
	_ = x[unsafe.Offsetof(NV2080_CTRL_GPU_GET_ENGINES_PARAMS{}.EngineList)-8]
	_ = x[unsafe.Sizeof(*new(NvUUID))-16]
	_ = x[unsafe.Sizeof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{})-232]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Base)-0]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Length)-8]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.PerGPUAttributes)-16]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.GPUAttributesCount)-208]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.RMCtrlFD)-216]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.HMemory)-220]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.RMStatus)-224]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Pad0)-228]
}
