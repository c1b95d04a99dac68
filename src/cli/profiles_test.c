/* Tests of the built-in profiles, and of the roles that they give to fields. */
#include "extract/extract.h"
#include "abi/document_test.h"

static void read_builtin(struct profile *profile, const char *name, struct arena *arena)
{
	const char *text = profile_builtin(name);
	struct err err = { "" };

	assert_non_null(text);
	json_read_profile(profile, text, strlen(text), name, arena, &err);
	assert_string_equal(err.text, "");
}

TEST(every_builtin_profile_reads_and_bears_its_name)
{
	struct arena arena = { 0 };
	struct profile profile;

	for (const char *const *name = profile_builtin_names(); *name; name++) {
		read_builtin(&profile, *name, &arena);
		assert_string_equal(profile.name, *name);
		if (name[1])
			assert_true(strcmp(name[0], name[1]) < 0);
	}
	arena_release(&arena);
}

TEST(there_is_no_profile_of_another_name)
{
	assert_null(profile_builtin("nouveau"));
	assert_null(profile_builtin(""));
}

/* Returns the role of a field in a document that has the typedefs of NVIDIA's headers. */
static enum abi_role role_of(const struct profile *profile, const char *record, const char *name,
			     const char *type)
{
	const char *under = !strncmp(type, "NvU32", 5) || !strncmp(type, "NvV32", 5) ? "unsigned int"
			    : !strncmp(type, "NvU64", 5) ? "unsigned long long"
			    : !strncmp(type, "NvS32", 5) ? "int"
							 : NULL;

	return profile_role_of(profile, record, name, (const char *const[]){ type, under, NULL });
}

/* A field, and its role. */
struct field_role {
	const char *record, *name, *type;
	enum abi_role role;
};

static void assert_roles(const char *profile_name, const struct field_role *fields, size_t count)
{
	struct arena arena = { 0 };
	struct profile profile;
	size_t failed = 0;

	read_builtin(&profile, profile_name, &arena);
	for (size_t i = 0; i < count; i++) {
		const struct field_role *field = &fields[i];
		const enum abi_role role = role_of(&profile, field->record, field->name, field->type);

		if (role == field->role)
			continue;
		failed++;
		print_error("%s: %s.%s: \"%s\" instead of \"%s\"\n", profile_name, field->record, field->name,
			    abi_role_name(role), abi_role_name(field->role));
	}
	arena_release(&arena);
	assert_int_equal(failed, 0);
}

/*
 * Fields as in the headers of 590.48.01, or of older versions. The names in the second half suggest a role
 * that the field does not have.
 */
TEST(fields_of_nvidia_have_their_roles)
{
	static const struct field_role fields[] = {
		{ "NVOS54_PARAMETERS", "params", "NvP64", ABI_ROLE_POINTER },
		{ "NVOS10_EVENT_KERNEL_CALLBACK", "arg", "void *", ABI_ROLE_POINTER },
		{ "NVOS10_EVENT_KERNEL_CALLBACK", "func", "Callback1ArgVoidReturn", ABI_ROLE_POINTER },
		{ "X", "callback", "void (*)(int)", ABI_ROLE_POINTER },
		{ "NVOS64_PARAMETERS", "ppCpuAddress", "NvP64[8]", ABI_ROLE_POINTER },
		{ "UVM_TOOLS_READ_PROCESS_MEMORY_PARAMS", "buffer", "NvU64", ABI_ROLE_POINTER },
		{ "NVOS54_PARAMETERS", "hClient", "NvHandle", ABI_ROLE_HANDLE },
		{ "NVB06F_CTRL_GET_ENGINE_CTX_STATE_PARAMS", "hObject", "NvU32", ABI_ROLE_HANDLE },
		{ "nv_ioctl_nvos02_parameters_with_fd", "fd", "int", ABI_ROLE_FD },
		{ "UVM_REGISTER_GPU_PARAMS", "rmCtrlFd", "NvS32", ABI_ROLE_FD },
		{ "NVC637_ALLOCATION_PARAMETERS", "capDescriptor", "NvU64", ABI_ROLE_FD },
		{ "NV00F1_ALLOCATION_PARAMETERS", "pOsEvent", "NvP64", ABI_ROLE_FD },
		{ "NV2080_CTRL_GPU_PID_INFO", "pid", "NvU32", ABI_ROLE_PID },
		{ "NV2080_CTRL_GPU_GET_PIDS_PARAMS", "pidTbl", "NvU32[950]", ABI_ROLE_PID },
		{ "NV0000_ALLOC_PARAMETERS", "processID", "NvU32", ABI_ROLE_PID },
		{ "NV2080_CTRL_PERF_GPUMON_ENGINE_UTIL_SAMPLE", "procId", "NvU32", ABI_ROLE_PID },
		{ "NV0000_CTRL_VGPU_GET_START_DATA_PARAMS", "qemuPid", "NvU32", ABI_ROLE_PID },
		{ "NV_CHANNEL_ALLOC_PARAMS", "ProcessID", "NvU32", ABI_ROLE_PID },
		{ "NV_EVENT_BUFFER_ALLOC_PARAMETERS", "notificationHandle", "NvU64", ABI_ROLE_FD },
		{ "NV_SEMAPHORE_SURFACE_CTRL_REGISTER_WAITER_PARAMS", "notificationHandle", "NvU64",
		  ABI_ROLE_FD },
		{ "NV_SEMAPHORE_SURFACE_CTRL_UNREGISTER_WAITER_PARAMS", "notificationHandle", "NvU64",
		  ABI_ROLE_FD },
		{ "NV0005_ALLOC_PARAMETERS", "data", "NvP64", ABI_ROLE_FD },
		{ "NV2080_CTRL_PERF_GPUMON_ENGINE_UTIL_SAMPLE", "pOsPidInfo", "NvU64",
		  ABI_ROLE_KERNEL_POINTER },
		{ "NV2080_CTRL_GR_CTX_BUFFER_INFO", "bufferHandle", "NvP64", ABI_ROLE_KERNEL_POINTER },
		{ "NV90F1_CTRL_VASPACE_GET_GMMU_FORMAT_PARAMS", "pFmt", "NvP64", ABI_ROLE_KERNEL_POINTER },
		{ "NV90F1_CTRL_VASPACE_GET_PAGE_LEVEL_INFO_PARAMS::levels_t", "pFmt", "MMU_FMT_LEVEL *",
		  ABI_ROLE_KERNEL_POINTER },
		{ "NVB069_CTRL_CMD_FAULTBUFFER_GET_REGISTER_MAPPINGS_PARAMS", "pPmcIntr", "NvP64",
		  ABI_ROLE_KERNEL_POINTER },
		{ "NVC369_CTRL_MMU_FAULT_BUFFER_UNREGISTER_REPLAY_BUF_PARAMS", "pShadowBuffer", "NvP64",
		  ABI_ROLE_KERNEL_POINTER },
		{ "NV0092_RG_LINE_CALLBACK_ALLOCATION_PARAMETERS", "pCallbkFn",
		  "NV0092_REGISTER_RG_LINE_CALLBACK_FN", ABI_ROLE_KERNEL_POINTER },
		{ "NVA080_CTRL_VGPU_DISPLAY_SET_SURFACE_PROPERTIES", "hHwResHandle", "NvU32",
		  ABI_ROLE_HANDLE },
		{ "RS_SHARE_POLICY", "target", "NvU32", ABI_ROLE_HANDLE },
		{ "UVM_FREE_PARAMS", "rmStatus", "NV_STATUS", ABI_ROLE_STATUS },
		{ "NVOS54_PARAMETERS", "status", "NvV32", ABI_ROLE_STATUS },
		{ "NVOS54_PARAMETERS", "paramsSize", "NvU32", ABI_ROLE_SIZE },
		{ "X", "pidTblCount", "NvU32", ABI_ROLE_COUNT },
		{ "X", "pid", "unsigned int", ABI_ROLE_PID },
		{ "X", "pid", "NvS32", ABI_ROLE_PID },
		{ "X", "clientPid", "NvU64", ABI_ROLE_PID },
		{ "X", "pids", "NvU32[3]", ABI_ROLE_PID },
		{ "X", "zfd", "NvU64", ABI_ROLE_FD },
		{ "X", "zfd", "long", ABI_ROLE_FD },
		{ "X", "fds", "NvU32[4]", ABI_ROLE_FD },
		{ "X", "fdArray", "NvS32[4]", ABI_ROLE_FD },
		{ "X", "numEntries", "NvU32", ABI_ROLE_COUNT },
		{ "X", "numPids", "NvU32", ABI_ROLE_COUNT },
		{ "X", "numFds", "NvU32", ABI_ROLE_COUNT },

		{ "NVOS21_PARAMETERS", "hClass", "NvV32", ABI_ROLE_NONE },
		{ "NV_CHANNEL_ALLOC_PARAMS", "SubProcessID", "NvU32", ABI_ROLE_NONE },
		{ "NV0000_CTRL_GPUACCT_GET_PROC_ACCOUNTING_INFO_PARAMS", "subPid", "NvU32", ABI_ROLE_NONE },
		{ "NV2080_CTRL_NVENC_SW_SESSION_INFO", "subProcessId", "NvU32", ABI_ROLE_NONE },
		{ "NV2080_CTRL_PERF_GPUMON_ENGINE_UTIL_SAMPLE", "subProcessID", "NvU32", ABI_ROLE_NONE },
		{ "UVM_CREATE_EVENT_QUEUE_PARAMS", "notificationHandle", "NvU64", ABI_ROLE_NONE },
		{ "NV_MEMORY_HW_RESOURCES_ALLOCATION_PARAMS", "osDeviceHandle", "NvU64", ABI_ROLE_NONE },
		{ "UVM_MIGRATE_PARAMS", "semaphoreAddress", "NvU64", ABI_ROLE_NONE },
		{ "NV2080_CTRL_FB_OFFLINED_ADDRESS_INFO", "status", "NvU32", ABI_ROLE_NONE },
		{ "X", "hActive", "NvU32", ABI_ROLE_NONE },
		{ "X", "fd", "NvU8", ABI_ROLE_NONE },
		{ "X", "rangeGroupIds", "NvU64[32]", ABI_ROLE_NONE },
		{ "X", "boostGroupId", "NvU32", ABI_ROLE_NONE },
		{ "X", "chipId", "NvU32", ABI_ROLE_NONE },
		{ "X", "hostpid", "NvU32", ABI_ROLE_PID },
		{ "X", "HOST_PID", "NvU32", ABI_ROLE_PID },
		{ "X", "gpuVirtAddress", "NvU64", ABI_ROLE_NONE },
		{ "X", "perfDevUtil", "RUSD_PERF_DEVICE_UTILIZATION", ABI_ROLE_NONE },
		{ "X", "MFDE", "NV2080_CTRL_NVLINK_PRM_DATA", ABI_ROLE_NONE },
		{ "X", "linkStatus", "NvU32", ABI_ROLE_NONE },
		{ "X", "numaNode", "NvU32", ABI_ROLE_NONE },
		{ "X", "bSkipSize", "NvBool", ABI_ROLE_NONE },
	};

	assert_roles("nvidia", fields, sizeof(fields) / sizeof(*fields));
}

/*
 * Fields of Linux 7.3.4, mostly in nested records. The last fields are addresses that the kernel does not
 * follow.
 */
TEST(fields_of_linux_have_their_roles)
{
	static const struct {
		const char *profile;
		struct field_role field;
	} rows[] = {
		{ "habanalabs", { "hl_cs_in::_t::_t", "chunks_execute", "__u64", ABI_ROLE_POINTER } },
		{ "habanalabs", { "hl_cs_chunk::_t", "signal_seq_arr", "__u64", ABI_ROLE_POINTER } },
		{ "habanalabs", { "hl_wait_cs_in::_t::_t2::_t", "addr", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "hl_cs_in::_t::_t", "chunks_execute", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "drm_amdgpu_userq_wait", "out_fences", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "drm_xe_sync::_t", "addr", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "drm_xe_vm_get_property::_t", "data", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "drm_v3d_copy_timestamp_query", "offsets", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "drm_virtgpu_execbuffer", "in_syncobjs", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "amdxdna_drm_get_info", "buffer", "__u64", ABI_ROLE_POINTER } },
		{ "linux-drm", { "amdxdna_drm_query_hwctx", "pid", "__s64", ABI_ROLE_PID } },
		{ "linux-kfd", { "kfd_ioctl_criu_args", "bos", "__u64", ABI_ROLE_POINTER } },
		{ "linux-kvm", { "kvm_sev_launch_start", "dh_uaddr", "__u64", ABI_ROLE_POINTER } },
		{ "linux-kvm", { "kvm_xen_hvm_attr::u_t::shared_info_t", "hva", "__u64", ABI_ROLE_POINTER } },
		{ "linux-v4l2", { "media_v2_topology", "ptr_pads", "__u64", ABI_ROLE_POINTER } },
		{ "linux-v4l2", { "v4l2_subdev_routing", "routes", "__u64", ABI_ROLE_POINTER } },
		{ "linux-vfio", { "iommu_hwpt_get_dirty_bitmap", "data", "__u64", ABI_ROLE_POINTER } },
		{ "linux-vfio", { "vfio_pci_hot_reset", "group_fds", "__s32[]", ABI_ROLE_FD } },

		{ "linux-drm", { "drm_amdgpu_userq_in", "queue_va", "__u64", ABI_ROLE_NONE } },
		{ "linux-drm", { "drm_xe_vm_bind_op", "addr", "__u64", ABI_ROLE_NONE } },
		{ "linux-drm", { "drm_mode_atomic", "user_data", "__u64", ABI_ROLE_NONE } },
		{ "linux-kfd",
		  { "kfd_ioctl_create_queue_args", "eop_buffer_address", "__u64", ABI_ROLE_NONE } },
		{ "linux-kvm", { "kvm_userspace_memory_region", "guest_phys_addr", "__u64", ABI_ROLE_NONE } },
		{ "linux-vfio", { "vfio_device_ioeventfd", "data", "__u64", ABI_ROLE_NONE } },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(*rows); i++)
		assert_roles(rows[i].profile, &rows[i].field, 1);
}
