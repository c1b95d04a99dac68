package nvproxy

import (
	"bytes"
	"testing"
	"unsafe"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"
	"gvisor.dev/gvisor/pkg/errors/linuxerr"
)

// call is one call of a generated handler: the parameters are at the beginning of the memory.
type call struct {
	fi     frontendIoctlState
	params nvgpu.NVOS54_PARAMETERS
	called int
	err    error
}

const here = memoryBase + 0x100 // what parameters point to

// run calls a handler with parameters, and with what they point to; driver sees what the handler gives it.
func run[T any](handler controlRun, params T, behind []byte, driver func(params *T)) (*call, T) {
	c := &call{}
	c.fi.t = make(task, 0x1000)
	copy(c.fi.t, nvgpu.Bytes(&params))
	copy(c.fi.t[here-memoryBase:], behind)
	c.params = nvgpu.NVOS54_PARAMETERS{Params: memoryBase, ParamsSize: uint32(unsafe.Sizeof(params))}
	c.fi.driver = func(given unsafe.Pointer) uint32 {
		c.called++
		driver((*T)(given))
		return nvgpu.NV_OK
	}
	_, c.err = handler(&c.fi, &c.params)
	copy(nvgpu.Bytes(&params), c.fi.t)
	return c, params
}

func (c *call) behind(size int) []byte { return c.fi.t[here-memoryBase:][:size] }

func (c *call) expectRefused(t *testing.T) {
	t.Helper()
	if c.called != 0 || c.err != nil || c.params.Status != nvgpu.NV_ERR_INVALID_ARGUMENT {
		t.Errorf("called %d times, error %v, status %#x", c.called, c.err, c.params.Status)
	}
}

func (c *call) expectCalled(t *testing.T) {
	t.Helper()
	if c.called != 1 || c.err != nil || c.params.Status != nvgpu.NV_OK {
		t.Errorf("called %d times, error %v, status %#x", c.called, c.err, c.params.Status)
	}
}

// at is what a pointer of the driver's parameters leads to.
func at(pointer nvgpu.P64, size int) []byte {
	return unsafe.Slice(*(**byte)(unsafe.Pointer(&pointer)), size)
}

type (
	listParams = nvgpu.NV2080_CTRL_TOY_GET_LIST_PARAMS
	capsParams = nvgpu.NV0080_CTRL_TOY_GET_CAPS_PARAMS
	oneParams  = nvgpu.NV0000_CTRL_TOY_GET_ONE_PARAMS
	fdParams   = nvgpu.NV0000_CTRL_TOY_SHARE_PARAMS

	sessionParams = nvgpu.TOY_SESSION_PARAMS
)

// open is the application's files: 3 an event's, 4 a capability, 5 a file of the frontend; the sandbox's own are 103, 104 and 105.
func open() {
	files = fdTable{3: {impl: &frontendFD{103}}, 4: {impl: &openOnlyFD{104}}, 5: {impl: &frontendFD{105}}}
}

func expectNoReferences(t *testing.T) {
	t.Helper()
	for fd, file := range files {
		if file.refs != 0 {
			t.Errorf("%d references to %d", file.refs, fd)
		}
	}
}

func TestTheDriverGetsTheSandboxsDescriptorsAndTheApplicationKeepsItsOwn(t *testing.T) {
	open()
	params := fdParams{POsEvent: 3, Cap: 4, FD: 5}
	c, after := run(ctrlClientToyShare, params, nil, func(given *fdParams) {
		if given.POsEvent != 103 || given.Cap != 104 || given.FD != 105 {
			t.Errorf("the driver sees %+v", given)
		}
		given.Pad0[0] = 7
	})
	c.expectCalled(t)
	if params.Pad0[0] = 7; after != params {
		t.Errorf("%+v", after)
	}
	expectNoReferences(t)
}

func TestNoEventIsForwarded(t *testing.T) {
	open()
	c, _ := run(ctrlClientToyShare, fdParams{Cap: 4, FD: 5}, nil, func(given *fdParams) {
		if given.POsEvent != 0 {
			t.Errorf("the driver sees %+v", given)
		}
	})
	c.expectCalled(t)
}

func TestADescriptorOfNoFileOrOfAnotherOneIsRefused(t *testing.T) {
	for _, params := range []fdParams{{POsEvent: 9, Cap: 4, FD: 5}, {POsEvent: 4, Cap: 4, FD: 5}, {Cap: 0, FD: 5}, {Cap: 5, FD: 5}, {Cap: 4, FD: -1}, {Cap: 4, FD: 4}, {Cap: 4, FD: 105}} {
		open()
		c, after := run(ctrlClientToyShare, params, nil, func(*fdParams) {})
		if c.err != linuxerr.EINVAL || c.called != 0 || after != params {
			t.Errorf("%+v: error %v, called %d times, %+v", params, c.err, c.called, after)
		}
		expectNoReferences(t)
	}
}

// allocate makes a session with the parameters at the beginning of the memory, and answers with the driver's status.
func allocate(params sessionParams, status uint32, driver func(params *sessionParams)) (called int, err error, after sessionParams) {
	fi := frontendIoctlState{t: make(task, 0x1000)}
	copy(fi.t, nvgpu.Bytes(&params))
	fi.driver = func(given unsafe.Pointer) uint32 {
		called++
		driver((*sessionParams)(given))
		return status
	}
	objects = nil
	_, err = rmAllocToySession(&fi, &nvgpu.NVOS64_PARAMETERS{HClass: nvgpu.TOY_SESSION, PAllocParms: memoryBase}, true)
	copy(nvgpu.Bytes(&after), fi.t)
	return called, err, after
}

func TestAnObjectIsAddedWithTheSandboxsDescriptors(t *testing.T) {
	for _, one := range []struct {
		params, seen sessionParams
		status       uint32
		objects      int
	}{
		{sessionParams{4, 3}, sessionParams{104, 103}, nvgpu.NV_OK, 1},
		{sessionParams{4, 0}, sessionParams{104, 0}, nvgpu.NV_OK, 1},
		{sessionParams{4, 5}, sessionParams{104, 105}, nvgpu.NV_ERR_INVALID_ARGUMENT, 0},
	} {
		open()
		called, err, after := allocate(one.params, one.status, func(given *sessionParams) {
			if *given != one.seen {
				t.Errorf("the driver sees %+v", *given)
			}
		})
		if called != 1 || err != nil || after != one.params || len(objects) != one.objects {
			t.Errorf("%+v: called %d times, error %v, %+v, %d objects", one.params, called, err, after, len(objects))
		}
		expectNoReferences(t)
	}
}

func TestNoObjectIsAllocatedWithADescriptorOfAnotherFile(t *testing.T) {
	for _, params := range []sessionParams{{3, 0}, {9, 0}, {1 << 40, 0}, {4, 4}, {4, 9}} {
		open()
		called, err, after := allocate(params, nvgpu.NV_OK, func(*sessionParams) {})
		if called != 0 || err != linuxerr.EINVAL || after != params || len(objects) != 0 {
			t.Errorf("%+v: called %d times, error %v, %+v", params, called, err, after)
		}
		expectNoReferences(t)
	}
}

func TestAListGoesInAndOut(t *testing.T) {
	c, after := run(ctrlSubdevToyGetList, listParams{Count: 2, List: here}, []byte("12345678x"), func(params *listParams) {
		if got := at(params.List, 8); string(got) != "12345678" || params.List == here {
			t.Errorf("the driver sees %q at %#x", got, params.List)
		}
		copy(at(params.List, 8), "abcdefgh")
		params.Count = 1
	})
	c.expectCalled(t)
	if string(c.behind(9)) != "abcdefghx" || after.List != here || after.Count != 1 {
		t.Errorf("%q, %+v", c.behind(9), after)
	}
}

func TestAHostileCountIsRefusedBeforeAnythingIsAllocated(t *testing.T) {
	for _, count := range []uint32{1<<18 + 1, 1 << 30, 1<<30 + 1, 1<<31 + 1, 1<<32 - 1} { // four of these overflow 32 bits when multiplied by 4
		var c *call
		allocated := testing.Benchmark(func(b *testing.B) {
			b.ReportAllocs()
			c, _ = run(ctrlSubdevToyGetList, listParams{Count: count, List: here}, nil, func(*listParams) {})
		}).AllocedBytesPerOp()
		c.expectRefused(t)
		if allocated > 1<<16 {
			t.Errorf("%d bytes for %d elements", allocated, count)
		}
	}
}

func TestTheGreatestCountIsNotRefused(t *testing.T) {
	c, _ := run(ctrlSubdevToyGetList, listParams{Count: 1 << 18, List: here}, nil, func(*listParams) {})
	if c.err != linuxerr.EFAULT || c.params.Status != nvgpu.NV_OK || c.called != 0 { // the memory is smaller
		t.Errorf("error %v, status %#x, called %d times", c.err, c.params.Status, c.called)
	}
}

func TestNullWithElementsAndAPointerToNoneAreRefused(t *testing.T) {
	c, _ := run(ctrlSubdevToyGetList, listParams{Count: 2}, nil, func(*listParams) {})
	c.expectRefused(t)
	c, _ = run(ctrlSubdevToyGetList, listParams{List: here}, nil, func(*listParams) {})
	c.expectRefused(t)
	c, _ = run(ctrlClientToyGetOne, oneParams{}, nil, func(*oneParams) {})
	c.expectRefused(t)
}

func TestNullWithoutElementsIsForwarded(t *testing.T) {
	c, _ := run(ctrlSubdevToyGetList, listParams{}, nil, func(params *listParams) {
		if params.List != 0 {
			t.Errorf("%#x", params.List)
		}
	})
	c.expectCalled(t)
}

func TestTwoPointersHaveDirectionsOfTheirOwn(t *testing.T) {
	c, after := run(ctrlDevToyGetCaps, capsParams{InSize: 2, In: here, CapsSize: 3, Caps: here + 4}, []byte("in..CAP"), func(params *capsParams) {
		if in, caps := at(params.In, 2), at(params.Caps, 3); string(in) != "in" || !bytes.Equal(caps, make([]byte, 3)) {
			t.Errorf("the driver sees %q and %q", in, caps)
		}
		copy(at(params.In, 2), "XX")
		copy(at(params.Caps, 3), "out")
	})
	c.expectCalled(t)
	if string(c.behind(7)) != "in..out" || after.In != here || after.Caps != here+4 {
		t.Errorf("%q, %+v", c.behind(7), after)
	}
}

// A list that the driver converts may be empty: the application's pointer is not given to the driver.
func TestAConvertedListMayBeEmpty(t *testing.T) {
	for _, params := range []capsParams{{Caps: here}, {CapsSize: 3}} {
		c, after := run(ctrlDevToyGetCaps, params, nil, func(given *capsParams) {
			if given.Caps != 0 {
				t.Errorf("%#x", given.Caps)
			}
		})
		c.expectCalled(t)
		if after != params {
			t.Errorf("%+v", after)
		}
	}
}

func TestOneElementHasItsSize(t *testing.T) {
	c, _ := run(ctrlClientToyGetOne, oneParams{One: here}, nil, func(params *oneParams) {
		copy(at(params.One, 16), "0123456789abcdef")
	})
	c.expectCalled(t)
	if string(c.behind(17)) != "0123456789abcdef\x00" {
		t.Errorf("%q", c.behind(17))
	}
}

func TestAnotherSizeOfTheParametersIsRefused(t *testing.T) {
	c, _ := run(func(fi *frontendIoctlState, ioctlParams *nvgpu.NVOS54_PARAMETERS) (uintptr, error) {
		ioctlParams.ParamsSize++
		return ctrlSubdevToyGetList(fi, ioctlParams)
	}, listParams{}, nil, func(*listParams) {})
	if c.err != linuxerr.EINVAL || c.called != 0 {
		t.Errorf("error %v, called %d times", c.err, c.called)
	}
}

func TestMemoryThatIsNotThereIsAnError(t *testing.T) {
	c, _ := run(ctrlSubdevToyGetList, listParams{Count: 1, List: 1}, nil, func(*listParams) {})
	if c.err != linuxerr.EFAULT || c.called != 0 {
		t.Errorf("error %v, called %d times", c.err, c.called)
	}
}
