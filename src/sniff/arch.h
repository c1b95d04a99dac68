/*
 * sniff/arch.h - what of a system call depends on the processor
 *
 * Part of sniff/. One file for each: arch_x86_64.c, arch_aarch64.c. Numbers of system calls are <sys/syscall.h>'s.
 */
#ifndef SNIFF_ARCH_H
#define SNIFF_ARCH_H

#include <stdbool.h>
#include <stdint.h>
#include <sys/types.h>
#include <sys/user.h>

struct arch {
	const char *target;   /* of documents: "x86_64-linux-gnu" */
	uint32_t audit;       /* AUDIT_ARCH_* of native system calls */
	uint32_t narrow_audit; /* of those of 32-bit programs */
	uint32_t narrow_ioctl, narrow_seccomp; /* the numbers of these calls there */
	const char *narrow_name; /* what they are called: "i386" */
	uint64_t x32_bit;     /* in the number of an x32 program's call; 0: there are none */
	uint64_t large_file;  /* O_LARGEFILE, which the kernel adds to what 64-bit programs ask for */
	uint64_t call_bytes;  /* the instruction that makes a system call */
};

extern const struct arch sniff_arch;

/*
 * The registers of a thread in a stop. arch_read() and arch_write() say false if the thread is gone.
 */
bool arch_read(struct user_regs_struct *out, pid_t tid);
bool arch_write(pid_t tid, const struct user_regs_struct *registers);

/* Arguments count from 0. At the entry of a call, a change is what the kernel does; at its exit, what the program finds. */
void arch_set_argument(struct user_regs_struct *registers, unsigned index, uint64_t value);
void arch_set_result(struct user_regs_struct *registers, int64_t value);

/* arch_set_number - at the entry of a call: make it another one; -1: none. @registers may be changed, and are to be written afterwards. */
bool arch_set_number(struct user_regs_struct *registers, pid_t tid, int64_t number);

/**
 * arch_handler_returns - where the program goes on after a signal's handler
 * @pc:     set to the interrupted instruction
 * @result: set to what the interrupted call returns, if it is not made again
 * @tid:    stands at its handler's first instruction
 *
 * Return: false if it cannot be read.
 */
bool arch_handler_returns(uint64_t *pc, int64_t *result, pid_t tid);

#endif
