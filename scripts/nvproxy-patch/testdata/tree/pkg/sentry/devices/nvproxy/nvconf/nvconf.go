// Package nvconf has the capabilities of a small proxy, which replaces nvproxy in tests.
package nvconf

// DriverCaps is a set of capabilities.
type DriverCaps uint32

// The capabilities.
const (
	CapCompute DriverCaps = 1 << iota
	CapUtility
	CapGraphics
	CapVideo
	CapProfiling
)
