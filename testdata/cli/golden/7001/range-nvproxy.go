// nvidia 100.10.01..120.01.00 (4 versions), x86_64-linux-gnu

package nvgpu

import (
	"structs"
	"unsafe"
)

// The types of each record, by version:
//
// NV_CHANNEL_ALLOC_PARAMS
//	NV_CHANNEL_ALLOC_PARAMS       100.10.01..100.20.02
//	NV_CHANNEL_ALLOC_PARAMS_V110  110.05.00..120.01.00
//
// UVM_MAP_EXTERNAL_ALLOCATION_PARAMS
//	UVM_MAP_EXTERNAL_ALLOCATION_PARAMS       100.10.01..100.20.02
//	UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110  110.05.00..120.01.00

// Numbers of uvm ioctls.
const (
	UVM_MAP_EXTERNAL_ALLOCATION = 33
)

// UvmGpuMappingAttributes is from kernel-open/nvidia-uvm/uvm_types.h.
//
// +marshal
type UvmGpuMappingAttributes struct {
	_              structs.HostLayout
	GPUUUID        NvUUID
	GPUMappingType uint32
	GPUCachingType uint32
}

// UVM_MAP_EXTERNAL_ALLOCATION_PARAMS is from
// kernel-open/nvidia-uvm/uvm_ioctl.h.
//
// +marshal
type UVM_MAP_EXTERNAL_ALLOCATION_PARAMS struct {
	_                  structs.HostLayout
	Base               uint64
	Length             uint64
	PerGPUAttributes   [4]UvmGpuMappingAttributes
	GPUAttributesCount uint64
	RMCtrlFD           int32
	HMemory            Handle
	RMStatus           uint32
	Pad0               [4]byte
}

// GetFrontendFD implements HasFrontendFD.GetFrontendFD.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) GetFrontendFD() int32 {
	return p.RMCtrlFD
}

// SetFrontendFD implements HasFrontendFD.SetFrontendFD.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) SetFrontendFD(fd int32) {
	p.RMCtrlFD = fd
}

// GetStatus implements HasStatus.GetStatus.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) GetStatus() uint32 {
	return p.RMStatus
}

// SetStatus implements HasStatus.SetStatus.
func (p *UVM_MAP_EXTERNAL_ALLOCATION_PARAMS) SetStatus(status uint32) {
	p.RMStatus = status
}

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

// NV_MEMORY_DESC_PARAMS is from
// src/common/sdk/nvidia/inc/alloc/alloc_channel.h.
//
// +marshal
type NV_MEMORY_DESC_PARAMS struct {
	_            structs.HostLayout
	Base         uint64
	Size         uint64
	AddressSpace uint32
	CacheAttrib  uint32
}

// NV_CHANNEL_ALLOC_PARAMS is from
// src/common/sdk/nvidia/inc/alloc/alloc_channel.h.
//
// +marshal
type NV_CHANNEL_ALLOC_PARAMS struct {
	_             structs.HostLayout
	HObjectError  Handle
	HObjectBuffer Handle
	GPFIFOOffset  uint64
	GPFIFOEntries uint32
	Flags         uint32
	HContextShare Handle
	HVASpace      Handle
	HUserdMemory  [8]Handle
	EngineType    uint32
	CID           uint32
	InstanceMem   NV_MEMORY_DESC_PARAMS
	MthdbufMem    NV_MEMORY_DESC_PARAMS
	InternalFlags uint32
	ProcessID     uint32 // pid
}

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

// These are the driver's sizes and offsets. If the compiler's differ, an index
// is not 0, and the file does not compile.
func _() {
	var x [1]struct{}
	_ = x[unsafe.Sizeof(UvmGpuMappingAttributes{})-24]
	_ = x[unsafe.Offsetof(UvmGpuMappingAttributes{}.GPUUUID)-0]
	_ = x[unsafe.Offsetof(UvmGpuMappingAttributes{}.GPUMappingType)-16]
	_ = x[unsafe.Offsetof(UvmGpuMappingAttributes{}.GPUCachingType)-20]
	_ = x[unsafe.Sizeof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{})-136]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.Base)-0]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.Length)-8]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.PerGPUAttributes)-16]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.GPUAttributesCount)-112]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.RMCtrlFD)-120]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.HMemory)-124]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.RMStatus)-128]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS{}.Pad0)-132]
	_ = x[unsafe.Sizeof(NV_MEMORY_DESC_PARAMS{})-24]
	_ = x[unsafe.Offsetof(NV_MEMORY_DESC_PARAMS{}.Base)-0]
	_ = x[unsafe.Offsetof(NV_MEMORY_DESC_PARAMS{}.Size)-8]
	_ = x[unsafe.Offsetof(NV_MEMORY_DESC_PARAMS{}.AddressSpace)-16]
	_ = x[unsafe.Offsetof(NV_MEMORY_DESC_PARAMS{}.CacheAttrib)-20]
	_ = x[unsafe.Sizeof(NV_CHANNEL_ALLOC_PARAMS{})-128]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.HObjectError)-0]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.HObjectBuffer)-4]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.GPFIFOOffset)-8]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.GPFIFOEntries)-16]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.Flags)-20]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.HContextShare)-24]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.HVASpace)-28]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.HUserdMemory)-32]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.EngineType)-64]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.CID)-68]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.InstanceMem)-72]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.MthdbufMem)-96]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.InternalFlags)-120]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS{}.ProcessID)-124]
	_ = x[unsafe.Sizeof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{})-232]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Base)-0]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Length)-8]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.PerGPUAttributes)-16]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.GPUAttributesCount)-208]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.RMCtrlFD)-216]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.HMemory)-220]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.RMStatus)-224]
	_ = x[unsafe.Offsetof(UVM_MAP_EXTERNAL_ALLOCATION_PARAMS_V110{}.Pad0)-228]
	_ = x[unsafe.Sizeof(NV_CHANNEL_ALLOC_PARAMS_V110{})-136]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.NV_CHANNEL_ALLOC_PARAMS)-0]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.EngineGroup)-128]
	_ = x[unsafe.Offsetof(NV_CHANNEL_ALLOC_PARAMS_V110{}.Timeslice)-132]
}
