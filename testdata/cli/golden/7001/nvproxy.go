// nvidia 120.01.00, x86_64-linux-gnu

package nvgpu

import (
	"structs"
	"unsafe"
)

// Numbers of uvm ioctls.
const (
	UVM_REGISTER_GPU = 37
)

// UVM_REGISTER_GPU_PARAMS is from kernel-open/nvidia-uvm/uvm_ioctl.h.
//
// +marshal
type UVM_REGISTER_GPU_PARAMS struct {
	_           structs.HostLayout
	GPUUUID     NvUUID
	NumaEnabled uint8
	Pad0        [3]byte
	NumaNodeID  int32
	RMCtrlFD    int32
	HClient     Handle
	RMStatus    uint32
}

// GetFrontendFD implements HasFrontendFD.GetFrontendFD.
func (p *UVM_REGISTER_GPU_PARAMS) GetFrontendFD() int32 {
	return p.RMCtrlFD
}

// SetFrontendFD implements HasFrontendFD.SetFrontendFD.
func (p *UVM_REGISTER_GPU_PARAMS) SetFrontendFD(fd int32) {
	p.RMCtrlFD = fd
}

// GetStatus implements HasStatus.GetStatus.
func (p *UVM_REGISTER_GPU_PARAMS) GetStatus() uint32 {
	return p.RMStatus
}

// SetStatus implements HasStatus.SetStatus.
func (p *UVM_REGISTER_GPU_PARAMS) SetStatus(status uint32) {
	p.RMStatus = status
}

// NV2080_CTRL_DEMO_BIND_PARAMS is from
// src/common/sdk/nvidia/inc/ctrl/ctrl2080/ctrl2080demo.h.
//
// +marshal
type NV2080_CTRL_DEMO_BIND_PARAMS struct {
	_        structs.HostLayout
	HChannel Handle
	Engine   uint32
	HContext Handle
	Flags    uint32
}

// These are the driver's sizes and offsets. If the compiler's differ, an index
// is not 0, and the file does not compile.
func _() {
	var x [1]struct{}
	_ = x[unsafe.Sizeof(UVM_REGISTER_GPU_PARAMS{})-36]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.GPUUUID)-0]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.NumaEnabled)-16]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.Pad0)-17]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.NumaNodeID)-20]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.RMCtrlFD)-24]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.HClient)-28]
	_ = x[unsafe.Offsetof(UVM_REGISTER_GPU_PARAMS{}.RMStatus)-32]
	_ = x[unsafe.Sizeof(NV2080_CTRL_DEMO_BIND_PARAMS{})-16]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_BIND_PARAMS{}.HChannel)-0]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_BIND_PARAMS{}.Engine)-4]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_BIND_PARAMS{}.HContext)-8]
	_ = x[unsafe.Offsetof(NV2080_CTRL_DEMO_BIND_PARAMS{}.Flags)-12]
}
