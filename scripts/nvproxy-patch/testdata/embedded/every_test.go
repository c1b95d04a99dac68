package nvproxy

import (
	"bytes"
	"encoding/binary"
	"encoding/json"
	"os"
	"testing"
	"unsafe"

	"gvisor.dev/gvisor/pkg/abi/nvgpu"
)

// command is an entry of the bootstrap.json that scripts/check-nvproxy-patch puts beside this file: all commands in whose parameters the driver follows pointers.
type command struct {
	Name     string
	Number   uint32
	Size     int
	Pointers []pointer
}

type pointer struct {
	Path, Direction string
	Count           *string
	Offset          int
	CountOffset     int    `json:"count_offset"`
	CountSize       int    `json:"count_size"`
	ElementSize     uint64 `json:"element_size"`
	Limit           uint64
	Refused         bool `json:"empty_refused"`
}

const slot = 1 << 17 // of an application's memory, for the parameters and for what each pointer leads to

func (p *pointer) address(params []byte) uint64 { return binary.LittleEndian.Uint64(params[p.Offset:]) }

// elements is how many the parameters say.
func (p *pointer) elements(params []byte) uint64 {
	if p.Count == nil {
		return 1
	}
	var wide [8]byte
	copy(wide[:p.CountSize], params[p.CountOffset:])
	return binary.LittleEndian.Uint64(wide[:])
}

// isRefused says what the driver says of parameters: compare rmapiParamsAcquire().
func (c *command) isRefused(params []byte) bool {
	for _, p := range c.Pointers {
		n, isNull := p.elements(params), p.address(params) == 0
		if p.Refused && (p.Count == nil && isNull || p.Count != nil && isNull != (n == 0)) || n > p.Limit/p.ElementSize {
			return true
		}
	}
	return false
}

// run calls the handler with params; the driver looks at what it gets, and fills it with 0xee.
func (c *command) run(t *testing.T, what string, handler controlRun, params []byte) {
	var fi frontendIoctlState
	fi.t = bytes.Repeat([]byte{0x11}, (len(c.Pointers)+1)*slot)
	copy(fi.t, params)
	called := 0
	fi.driver = func(given unsafe.Pointer) uint32 {
		called++
		theirs := unsafe.Slice((*byte)(given), c.Size)
		for _, p := range c.Pointers {
			address, size := p.address(theirs), p.elements(params)*p.ElementSize
			if isNone := p.address(params) == 0 || size == 0; isNone != (address == 0) || !isNone && address == p.address(params) {
				t.Errorf("%s, %s: %s is %#x for the driver", c.Name, what, p.Path, address)
			} else if !isNone {
				behind, filled := unsafe.Slice(*(**byte)(unsafe.Pointer(&address)), size), byte(0x11)
				if p.Direction == "out" {
					filled = 0
				}
				if !bytes.Equal(behind, bytes.Repeat([]byte{filled}, int(size))) {
					t.Errorf("%s, %s: the driver does not see what %s leads to", c.Name, what, p.Path)
				}
				copy(behind, bytes.Repeat([]byte{0xee}, int(size)))
			}
		}
		return nvgpu.NV_OK
	}
	call := nvgpu.NVOS54_PARAMETERS{Params: memoryBase, ParamsSize: uint32(c.Size)}
	_, err := handler(&fi, &call)
	if refused := c.isRefused(params); refused != (called == 0) || refused != (call.Status == nvgpu.NV_ERR_INVALID_ARGUMENT) || err != nil {
		t.Errorf("%s, %s: called %d times, status %#x, error %v", c.Name, what, called, call.Status, err)
	}
	if !bytes.Equal(fi.t[:c.Size], params) {
		t.Errorf("%s, %s: the parameters are changed", c.Name, what)
	}
	for i, p := range c.Pointers {
		wanted := bytes.Repeat([]byte{0x11}, slot)
		if size := p.elements(params) * p.ElementSize; called > 0 && p.Direction != "in" && p.address(params) != 0 {
			copy(wanted[:size], bytes.Repeat([]byte{0xee}, int(size)))
		}
		if !bytes.Equal(fi.t[(i+1)*slot:][:slot], wanted) {
			t.Errorf("%s, %s: what %s leads to is not as the driver left it", c.Name, what, p.Path)
		}
	}
}

func TestEveryCommand(t *testing.T) {
	text, err := os.ReadFile("bootstrap.json")
	var boot struct{ Entries []command }
	if err == nil {
		err = json.Unmarshal(text, &boot)
	}
	if err != nil || len(boot.Entries) == 0 {
		t.Fatalf("%v: %d commands", err, len(boot.Entries))
	}
	Init()
	handlers := abis["100.10.01"]().controlCmd
	for _, c := range boot.Entries {
		good := make([]byte, c.Size)
		for i, p := range c.Pointers {
			binary.LittleEndian.PutUint64(good[p.Offset:], memoryBase+uint64(i+1)*slot)
			if p.Count != nil {
				good[p.CountOffset] = 1
			}
		}
		handler := handlers[c.Number].run
		c.run(t, "one element each", handler, good)
		for _, p := range c.Pointers {
			params := append([]byte{}, good...)
			copy(params[p.Offset:], make([]byte, 8))
			c.run(t, p.Path+" is NULL", handler, params)
			if p.Count == nil {
				continue
			}
			params[p.CountOffset] = 0
			c.run(t, p.Path+" is NULL with no elements", handler, params)
			copy(params[p.Offset:], good[p.Offset:][:8])
			c.run(t, p.Path+" has no elements", handler, params)
			for _, count := range []uint64{p.Limit/p.ElementSize + 1, 1<<64 - 1} {
				copy(params[p.CountOffset:][:p.CountSize], binary.LittleEndian.AppendUint64(nil, count))
				if c.isRefused(params) { // it may not have the bytes for as many
					c.run(t, p.Path+" has too many", handler, params)
				}
			}
		}
	}
	t.Logf("%d commands", len(boot.Entries))
}
