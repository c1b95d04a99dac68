#include "decode/errno_name.h"

#include <errno.h>
#include <stddef.h>

const char *decode_errno_name(int error)
{
	/* The numbers are those of Linux on x86_64 and arm64, which this program runs on, too. */
	static const char *const names[] = {
		[EPERM] = "EPERM", [ENOENT] = "ENOENT", [ESRCH] = "ESRCH", [EINTR] = "EINTR", [EIO] = "EIO", [ENXIO] = "ENXIO",
		[E2BIG] = "E2BIG", [ENOEXEC] = "ENOEXEC", [EBADF] = "EBADF", [ECHILD] = "ECHILD", [EAGAIN] = "EAGAIN", [ENOMEM] = "ENOMEM",
		[EACCES] = "EACCES", [EFAULT] = "EFAULT", [ENOTBLK] = "ENOTBLK", [EBUSY] = "EBUSY", [EEXIST] = "EEXIST", [EXDEV] = "EXDEV",
		[ENODEV] = "ENODEV", [ENOTDIR] = "ENOTDIR", [EISDIR] = "EISDIR", [EINVAL] = "EINVAL", [ENFILE] = "ENFILE", [EMFILE] = "EMFILE",
		[ENOTTY] = "ENOTTY", [ETXTBSY] = "ETXTBSY", [EFBIG] = "EFBIG", [ENOSPC] = "ENOSPC", [ESPIPE] = "ESPIPE", [EROFS] = "EROFS",
		[EMLINK] = "EMLINK", [EPIPE] = "EPIPE", [EDOM] = "EDOM", [ERANGE] = "ERANGE", [EDEADLK] = "EDEADLK",
		[ENAMETOOLONG] = "ENAMETOOLONG", [ENOLCK] = "ENOLCK", [ENOSYS] = "ENOSYS", [ENOTEMPTY] = "ENOTEMPTY", [ELOOP] = "ELOOP",
		[ENODATA] = "ENODATA", [ETIME] = "ETIME", [EOVERFLOW] = "EOVERFLOW", [EILSEQ] = "EILSEQ", [EUSERS] = "EUSERS",
		[EOPNOTSUPP] = "EOPNOTSUPP", [ECONNRESET] = "ECONNRESET", [ENOTCONN] = "ENOTCONN", [ETIMEDOUT] = "ETIMEDOUT",
		[EALREADY] = "EALREADY", [EINPROGRESS] = "EINPROGRESS", [ESTALE] = "ESTALE", [ECANCELED] = "ECANCELED",
	};

	return error > 0 && (size_t)error < sizeof(names) / sizeof(*names) ? names[error] : NULL;
}
