// Package nvproxy is a small proxy with the shape of gVisor's nvproxy, for tests: it compiles alone, and forwards nothing.
package nvproxy

import (
	"fmt"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/sentry/devices/nvproxy/nvconf"
)

// ChecksumNoDriver means that NVIDIA offers no file.
const ChecksumNoDriver = "NO_DRIVER"

type driverABIFunc func() *driverABI

type driverABI struct {
	frontendIoctl   map[uint32]frontendIoctlHandler
	uvmIoctl        map[uint32]uvmIoctlHandler
	controlCmd      map[uint32]controlCmdHandler
	allocationClass map[nvgpu.ClassID]allocationClassHandler

	getInfo func() *DriverABIInfo
}

// DriverABIInfo is what the parity test reads.
type DriverABIInfo struct {
	FrontendInfos   map[uint32]IoctlInfo
	UvmInfos        map[uint32]IoctlInfo
	ControlInfos    map[uint32]IoctlInfo
	AllocationInfos map[nvgpu.ClassID]IoctlInfo
}

// IoctlInfo is a name and its structs.
type IoctlInfo struct {
	Name    string
	Structs []string
}

var abis map[string]driverABIFunc

func addDriverABI(major, minor, patch int, checksumX86_64, checksumARM64 string, cons driverABIFunc) driverABIFunc {
	return addUnsupportedDriverABI(major, minor, patch, cons)
}

func addUnsupportedDriverABI(major, minor, patch int, cons driverABIFunc) driverABIFunc {
	abis[fmt.Sprintf("%d.%02d.%02d", major, minor, patch)] = cons
	return cons
}

// Init fills abis.
func Init() {
	func() {
		abis = map[string]driverABIFunc{}
		v100_10_01 := addUnsupportedDriverABI(100, 10, 01, func() *driverABI {
			return &driverABI{
				frontendIoctl: map[uint32]frontendIoctlHandler{
					nvgpu.NV_ESC_TOY_MAP: feHandler(frontendIoctlSimpleNoStatus[nvgpu.TOY_MAP_PARAMETERS], nvconf.CapGraphics),
				},
				uvmIoctl: map[uint32]uvmIoctlHandler{
					nvgpu.UVM_TOY_FREE: uvmHandler(uvmIoctlSimple[nvgpu.UVM_TOY_FREE_PARAMS], compUtil),
					nvgpu.UVM_TOY_MAP:  uvmHandler(uvmIoctlSimple[nvgpu.UVM_TOY_MAP_PARAMS], compUtil),
				},
				controlCmd: map[uint32]controlCmdHandler{
					nvgpu.NV2080_CTRL_CMD_TOY_GET_INFO:   ctrlHandler(rmControlSimple, compUtil),
					nvgpu.NV2080_CTRL_CMD_TOY_GET_STATUS: ctrlHandler(ctrlToyStatus, compUtil),
				},
				allocationClass: map[nvgpu.ClassID]allocationClassHandler{
					nvgpu.TOY_CHANNEL: allocHandler(rmAllocToyChannel, compUtil),
					nvgpu.TOY_P2P:     allocHandler(rmAllocSimple[nvgpu.TOY_P2P_PARAMS], compUtil),
				},
				getInfo: func() *DriverABIInfo {
					return &DriverABIInfo{
						FrontendInfos: map[uint32]IoctlInfo{
							nvgpu.NV_ESC_TOY_MAP: ioctlInfo("NV_ESC_TOY_MAP", nvgpu.TOY_MAP_PARAMETERS{}),
						},
						UvmInfos: map[uint32]IoctlInfo{
							nvgpu.UVM_TOY_FREE: ioctlInfo("UVM_TOY_FREE", nvgpu.UVM_TOY_FREE_PARAMS{}),
							nvgpu.UVM_TOY_MAP:  ioctlInfo("UVM_TOY_MAP", nvgpu.UVM_TOY_MAP_PARAMS{}),
						},
						ControlInfos: map[uint32]IoctlInfo{
							nvgpu.NV2080_CTRL_CMD_TOY_GET_INFO:   simpleIoctlInfo("NV2080_CTRL_CMD_TOY_GET_INFO", "NV2080_CTRL_TOY_GET_INFO_PARAMS"),
							nvgpu.NV2080_CTRL_CMD_TOY_GET_STATUS: ioctlInfo("NV2080_CTRL_CMD_TOY_GET_STATUS", nvgpu.NV2080_CTRL_TOY_GET_STATUS_PARAMS{}),
						},
						AllocationInfos: map[nvgpu.ClassID]IoctlInfo{
							nvgpu.TOY_CHANNEL: ioctlInfo("TOY_CHANNEL", nvgpu.TOY_CHANNEL_PARAMS{}),
							nvgpu.TOY_P2P:     ioctlInfo("TOY_P2P", nvgpu.TOY_P2P_PARAMS{}),
						},
					}
				},
			}
		})

		// The following version is on a branch of its own.
		_ = addDriverABI(100, 20, 8, "aa", ChecksumNoDriver, v100_10_01) // As released.

		v110_05_01 := addDriverABI(110, 5, 01, "bb", "cc", func() *driverABI {
			abi := v100_10_01()
			abi.controlCmd[nvgpu.NV2080_CTRL_CMD_TOY_SET_LIMIT] = ctrlHandler(rmControlSimple, nvconf.CapProfiling)

			prevGetInfo := abi.getInfo
			abi.getInfo = func() *DriverABIInfo {
				info := prevGetInfo()
				info.ControlInfos[nvgpu.NV2080_CTRL_CMD_TOY_SET_LIMIT] = simpleIoctlInfo("NV2080_CTRL_CMD_TOY_SET_LIMIT", "NV2080_CTRL_TOY_SET_LIMIT_PARAMS")
				return info
			}
			return abi
		})
		_ = addDriverABI(110, 9, 01, "dd", "ee", v110_05_01)
	}()
}

func simpleIoctlInfo(name string, structNames ...string) IoctlInfo {
	return IoctlInfo{name, structNames}
}

func ioctlInfo(name string, params ...any) IoctlInfo {
	info := IoctlInfo{Name: name}
	for _, one := range params {
		info.Structs = append(info.Structs, fmt.Sprintf("%T", one))
	}
	return info
}

func ioctlInfoWithStructName(name string, param any, structName string) IoctlInfo {
	return IoctlInfo{name, []string{structName}}
}
