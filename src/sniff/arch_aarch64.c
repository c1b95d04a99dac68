#ifdef __aarch64__

#include "sniff/internal.h"

#include <elf.h>
#include <linux/audit.h>
#include <signal.h>
#include <sys/ptrace.h>
#include <sys/uio.h>
#include <ucontext.h>

const struct arch sniff_arch = {
	.target = "aarch64-linux-gnu",
	.audit = AUDIT_ARCH_AARCH64,
	.narrow_audit = AUDIT_ARCH_ARM,
	.narrow_ioctl = 54,
	.narrow_seccomp = 383,
	.narrow_name = "32-bit ARM",
	.large_file = 0400000,
	.call_bytes = 4,
};

bool arch_read(struct user_regs_struct *out, pid_t tid)
{
	struct iovec all = { out, sizeof(*out) };

	return !ptrace(PTRACE_GETREGSET, tid, NT_PRSTATUS, &all) && all.iov_len == sizeof(*out);
}

bool arch_write(pid_t tid, const struct user_regs_struct *registers)
{
	struct user_regs_struct copy = *registers;
	struct iovec all = { &copy, sizeof(copy) };

	return !ptrace(PTRACE_SETREGSET, tid, NT_PRSTATUS, &all);
}

void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value)
{
	registers->regs[index] = value;
}

void arch_set_result(struct user_regs_struct *registers, int64_t value)
{
	registers->regs[0] = (uint64_t)value;
}

/* The number is no register of user_regs_struct: x8 was read when the call began. */
bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number)
{
	int call = (int)number;
	struct iovec one = { &call, sizeof(call) };

	(void)registers;
	return !ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &one);
}

/*
 * Where the stack begins: the kernel's struct rt_sigframe (arch/arm64/kernel/signal.c) is a siginfo_t, and then the context. The third
 * argument of the handler points to it only with SA_SIGINFO.
 */
bool arch_handler_returns(uint64_t *pc, int64_t *result, pid_t tid)
{
	struct user_regs_struct registers;
	ucontext_t context;
	const size_t wanted = offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, __reserved);

	if (!arch_read(&registers, tid) || memory_read(&context, tid, registers.sp + sizeof(siginfo_t), wanted) != wanted)
		return false;
	*pc = context.uc_mcontext.pc;
	*result = (int64_t)context.uc_mcontext.regs[0];
	return true;
}

#endif
