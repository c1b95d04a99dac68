#!/usr/bin/env python3
"""programs.py - call functions of NVIDIA's libraries through ctypes

usage: programs.py nvml|cuda LIBRARY

nvml calls NVML's functions that take the handle of the first GPU and return a number or a text. cuda reads the attributes of the GPU in CUDA, and
creates a context. Each line of output is a function, its result, and the value that it returned.
"""
import ctypes
import sys

NUMBERS = ("Index MinorNumber Brand DisplayMode DisplayActive PersistenceMode MaxPcieLinkGeneration MaxPcieLinkWidth CurrPcieLinkGeneration "
           "CurrPcieLinkWidth PcieReplayCounter FanSpeed PowerState PerformanceState PowerUsage PowerManagementLimit EnforcedPowerLimit "
           "TotalEnergyConsumption MultiGpuBoard ComputeMode NumGpuCores MemoryBusWidth PcieSpeed IrqNum Architecture BoardId AdaptiveClockInfoStatus")
TEXTS = "Name UUID Serial VbiosVersion BoardPartNumber InforomImageVersion"


def nvml(library):
    print("nvmlInit_v2", library.nvmlInit_v2())
    text, number, handle = ctypes.create_string_buffer(128), ctypes.c_ulonglong(), ctypes.c_void_p()
    print("nvmlSystemGetDriverVersion", library.nvmlSystemGetDriverVersion(text, 128), text.value)
    print("nvmlDeviceGetCount_v2", library.nvmlDeviceGetCount_v2(ctypes.byref(number)), number.value)
    print("nvmlDeviceGetHandleByIndex_v2", library.nvmlDeviceGetHandleByIndex_v2(0, ctypes.byref(handle)))
    for name in TEXTS.split():
        text.value = b""
        print(name, getattr(library, "nvmlDeviceGet" + name)(handle, text, 128), text.value)
    for name in NUMBERS.split():
        number.value = 0
        print(name, getattr(library, "nvmlDeviceGet" + name)(handle, ctypes.byref(number)), number.value)
    for kind in range(4):
        print("ClockInfo", kind, library.nvmlDeviceGetClockInfo(handle, kind, ctypes.byref(number)))
    print("nvmlShutdown", library.nvmlShutdown())


def cuda(library):
    number = ctypes.c_int()
    print("cuDriverGetVersion", library.cuDriverGetVersion(ctypes.byref(number)), number.value)
    print("cuInit", library.cuInit(0))
    print("cuDeviceGetCount", library.cuDeviceGetCount(ctypes.byref(number)), number.value)
    text, size, device = ctypes.create_string_buffer(128), ctypes.c_size_t(), ctypes.c_int()
    print("cuDeviceGet", library.cuDeviceGet(ctypes.byref(device), 0), device.value)
    print("cuDeviceGetName", library.cuDeviceGetName(text, 128, device), text.value)
    print("cuDeviceTotalMem_v2", library.cuDeviceTotalMem_v2(ctypes.byref(size), device), size.value)
    for attribute in range(1, 129):
        number.value = 0
        print("cuDeviceGetAttribute", attribute, library.cuDeviceGetAttribute(ctypes.byref(number), attribute, device), number.value)
    print("cuCtxCreate_v2", library.cuCtxCreate_v2(ctypes.byref(ctypes.c_void_p()), 0, device))


{"nvml": nvml, "cuda": cuda}[sys.argv[1]](ctypes.CDLL(sys.argv[2]))
