package nvproxy

import (
	"runtime"
	"unsafe"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
)

// frontendIoctlState is one call of the application, with a driver that a test gives.
type frontendIoctlState struct {
	t      task
	ctx    any
	driver func(ctrlParams unsafe.Pointer) uint32
}

// task is the memory of an application: its addresses begin at memoryBase.
type task []byte

const memoryBase = 0x10000

func (t task) at(addr uint64, size int) ([]byte, error) {
	if addr < memoryBase || addr-memoryBase > uint64(len(t)) || uint64(size) > uint64(len(t))-(addr-memoryBase) {
		return nil, linuxerr.EFAULT
	}
	return t[addr-memoryBase:][:size], nil
}

// CopyInBytes reads memory.
func (t task) CopyInBytes(addr uint64, dst []byte) (int, error) {
	from, err := t.at(addr, len(dst))
	return copy(dst, from), err
}

// CopyOutBytes writes memory.
func (t task) CopyOutBytes(addr uint64, src []byte) (int, error) {
	to, err := t.at(addr, len(src))
	return copy(to, src), err
}

// files are those of an application, by their descriptors.
var files = fdTable{}

type fdTable map[int32]*fileDescription

// Get takes a reference.
func (t fdTable) Get(fd int32) (*fileDescription, int) {
	if t[fd] != nil {
		t[fd].refs++
	}
	return t[fd], 0
}

type fileDescription struct {
	impl any
	refs int
}

// Impl is what the file is.
func (f *fileDescription) Impl() any { return f.impl }

// DecRef drops a reference.
func (f *fileDescription) DecRef(ctx any) { f.refs-- }

// FDTable is the application's.
func (t task) FDTable() fdTable { return files }

type frontendFD struct{ hostFD int32 }

type openOnlyFD struct{ hostFD int32 }

func addrFromP64(p nvgpu.P64) uint64 { return uint64(p) }

func p64FromPtr(ptr unsafe.Pointer) nvgpu.P64 { return nvgpu.P64(uintptr(ptr)) }

func frontendFailWithStatus(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS, status uint32) error {
	ioctlParams.Status = status
	return nil
}

func rmControlInvoke[Params any](fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS, ctrlParams *Params) (uintptr, error) {
	defer runtime.KeepAlive(ctrlParams)
	ioctlParams.Status = fi.driver(unsafe.Pointer(ctrlParams))
	return 0, nil
}

// objects are those that handlers have added, by class.
var objects []nvgpu.ClassID

func addSimpleObjDepParentLocked(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS64_PARAMETERS) {
	objects = append(objects, ioctlParams.HClass)
}

func rmAllocInvoke[Params any](fi *frontendIoctlState, ioctlParams *nvgpu.NVOS64_PARAMETERS, allocParams *Params, isNVOS64 bool, addObjLocked func(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS64_PARAMETERS)) (uintptr, error) {
	defer runtime.KeepAlive(allocParams)
	if ioctlParams.Status = fi.driver(unsafe.Pointer(allocParams)); ioctlParams.Status == nvgpu.NV_OK {
		addObjLocked(fi, ioctlParams)
	}
	return 0, nil
}

func rmAllocNoParams(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS64_PARAMETERS, isNVOS64 bool) (uintptr, error) {
	return rmAllocInvoke[byte](fi, ioctlParams, nil, isNVOS64, addSimpleObjDepParentLocked)
}
