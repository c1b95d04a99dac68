/*
 * The registers and conventions of system calls, for each processor. The numbers of system calls are in
 * <sys/syscall.h>. For a new processor, add a part to this file.
 */
#include "sniff/internal.h"

#include <elf.h>
#include <linux/audit.h>
#include <sys/uio.h>
#include <ucontext.h>

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

#if defined(__x86_64__)

const struct arch sniff_arch = {
	.target = "x86_64-linux-gnu",
	.audit = AUDIT_ARCH_X86_64,
	.narrow_audit = AUDIT_ARCH_I386,
	.narrow_ioctl = 54,
	.narrow_mmap = 192, /* mmap2 */
	.narrow_old_mmap = 90,
	.narrow_seccomp = 354,
	.narrow_name = "i386",
	.x32_bit = 0x40000000, /* __X32_SYSCALL_BIT */
	.x32_ioctl = 0x40000000 | 514, /* arch/x86/entry/syscalls/syscall_64.tbl */
	.large_file = 0100000,
	.call_bytes = 2,
};

void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value)
{
	switch (index) {
	case 0: registers->rdi = value; return;
	case 1: registers->rsi = value; return;
	case 2: registers->rdx = value; return;
	case 3: registers->r10 = value; return;
	case 4: registers->r8 = value; return;
	default: registers->r9 = value; return;
	}
}

void arch_set_result(struct user_regs_struct *registers, int64_t value)
{
	registers->rax = (uint64_t)value;
}

bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number)
{
	(void)tid;
	registers->orig_rax = (uint64_t)number;
	return true;
}

bool arch_handler_returns(uint64_t *pc, pid_t tid)
{
	struct user_regs_struct registers;
	ucontext_t context;
	const size_t wanted = offsetof(ucontext_t, uc_mcontext) + sizeof(context.uc_mcontext);

	/* the handler's third argument points to the context; the kernel sets it even without SA_SIGINFO */
	if (!arch_read(&registers, tid) || memory_read(&context, tid, registers.rdx, wanted) != wanted)
		return false;
	*pc = (uint64_t)context.uc_mcontext.gregs[REG_RIP];
	return true;
}

#elif defined(__aarch64__)

const struct arch sniff_arch = {
	.target = "aarch64-linux-gnu",
	.audit = AUDIT_ARCH_AARCH64,
	.narrow_audit = AUDIT_ARCH_ARM,
	.narrow_ioctl = 54,
	.narrow_mmap = 192, /* mmap2 */
	.narrow_seccomp = 383,
	.narrow_name = "32-bit ARM",
	.large_file = 0400000,
	.call_bytes = 4,
};

void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value)
{
	registers->regs[index] = value;
}

void arch_set_result(struct user_regs_struct *registers, int64_t value)
{
	registers->regs[0] = (uint64_t)value;
}

bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number)
{
	int call = (int)number;
	struct iovec one = { &call, sizeof(call) };

	/* the kernel has already read the number from x8; NT_ARM_SYSTEM_CALL changes what it has read */
	(void)registers;
	return !ptrace(PTRACE_SETREGSET, tid, NT_ARM_SYSTEM_CALL, &one);
}

bool arch_handler_returns(uint64_t *pc, pid_t tid)
{
	struct user_regs_struct registers;
	ucontext_t context;
	const size_t wanted = offsetof(ucontext_t, uc_mcontext) + offsetof(mcontext_t, __reserved);

	/*
	 * The kernel's struct rt_sigframe (arch/arm64/kernel/signal.c) is at the stack pointer: a siginfo_t,
	 * and then the context. The handler's third argument points to the context only with SA_SIGINFO.
	 */
	if (!arch_read(&registers, tid) ||
	    memory_read(&context, tid, registers.sp + sizeof(siginfo_t), wanted) != wanted)
		return false;
	*pc = context.uc_mcontext.pc;
	return true;
}

#endif
