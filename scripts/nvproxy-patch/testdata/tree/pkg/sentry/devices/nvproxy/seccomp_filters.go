package nvproxy

import (
	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
)

const compUtil = nvconf.CapCompute | nvconf.CapUtility

type matcher struct{ value uint32 }

func equalTo(value uint32) matcher { return matcher{value} }

func frontendIoctlCmd(nr, size uint32) uint32 { return size<<16 | nr }

func frontendIoctlFilters(enabled nvconf.DriverCaps) (found []matcher) {
	for _, one := range []struct {
		arg1 matcher
		caps nvconf.DriverCaps
	}{
		{equalTo(frontendIoctlCmd(nvgpu.NV_ESC_TOY_MAP, nvgpu.SizeofToyMapParameters)), nvconf.CapGraphics},
	} {
		if one.caps&enabled != 0 {
			found = append(found, one.arg1)
		}
	}
	return found
}

func uvmIoctlFilters(enabled nvconf.DriverCaps) (found []matcher) {
	for _, one := range []struct {
		arg1 matcher
		caps nvconf.DriverCaps
	}{
		{equalTo(nvgpu.UVM_TOY_MAP), compUtil},
		{equalTo(nvgpu.UVM_TOY_FREE), compUtil},
	} {
		if one.caps&enabled != 0 {
			found = append(found, one.arg1)
		}
	}
	return found
}
