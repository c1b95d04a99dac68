#include "decode/errno_name.h"

#include <errno.h>
#include <string.h>

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

enum { NAME_COUNT = sizeof(names) / sizeof(*names) };

const char *decode_errno_name(int error)
{
	return error > 0 && error < NAME_COUNT ? names[error] : NULL;
}

int decode_errno_number(const char *name, size_t length)
{
	for (int i = 0; i < NAME_COUNT; i++)
		if (names[i] && strlen(names[i]) == length && !memcmp(names[i], name, length))
			return i;
	return 0;
}
