package nvproxy

import (
	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
)

type handler struct {
	run  func() uint32
	caps nvconf.DriverCaps
}

type controlRun func(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS) (uintptr, error)

type controlCmdHandler struct {
	run  controlRun
	caps nvconf.DriverCaps
}

type (
	frontendIoctlHandler = handler
	uvmIoctlHandler      = handler
)

// allocationClassHandler has a function of either form here.
type allocationClassHandler struct {
	run  any
	caps nvconf.DriverCaps
}

func feHandler(run func() uint32, caps nvconf.DriverCaps) handler  { return handler{run, caps} }
func uvmHandler(run func() uint32, caps nvconf.DriverCaps) handler { return handler{run, caps} }

func allocHandler(run any, caps nvconf.DriverCaps) allocationClassHandler {
	return allocationClassHandler{run, caps}
}

func ctrlHandler(run controlRun, caps nvconf.DriverCaps) controlCmdHandler {
	return controlCmdHandler{run, caps}
}

type hasStatus[T any] interface {
	*T
	GetStatus() uint32
	SetStatus(uint32)
}

func uvmIoctlSimple[T any, P hasStatus[T]]() uint32 {
	var params T
	toyInvoke(&params)
	return P(&params).GetStatus()
}

func frontendIoctlSimpleNoStatus[T any]() uint32 { return toyInvoke(new(T)) }

func rmControlSimple(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS) (uintptr, error) {
	return rmControlInvoke[byte](fi, ioctlParams, nil)
}

func rmAllocSimple[T any]() uint32 { return toyInvoke(new(T)) }

func ctrlToyStatus(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS) (uintptr, error) {
	var params nvgpu.NV2080_CTRL_TOY_GET_STATUS_PARAMS
	return rmControlInvoke(fi, ioctlParams, &params)
}

// rmAllocToyChannel remembers the channel's address space.
func rmAllocToyChannel() uint32 {
	return allocWith(func(params *nvgpu.TOY_CHANNEL_PARAMS) uint32 {
		return params.HVASpace.Val
	})
}

func allocWith[T any](then func(params *T) uint32) uint32 {
	var params T
	toyInvoke(&params)
	return then(&params)
}

func toyInvoke(params any) uint32 { return 0 }
