// Package linuxerr has errors of Linux.
package linuxerr

import "errors"

// Errors.
var (
	EINVAL = errors.New("EINVAL")
	EFAULT = errors.New("EFAULT")
)
