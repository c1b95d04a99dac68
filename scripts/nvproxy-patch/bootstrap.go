package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const bootstrapFormat = "drvabi-bootstrap/1"

// bootstrap has the used keys of DIR/bootstrap.json, which `drvabi bootstrap -o DIR` writes.
type bootstrap struct {
	Format   string
	Table    string // the proxy of the table
	Revision string `json:"table_revision"`
	Version  string
	Nodes    []bootNode
	Entries  []bootEntry
	Types    []bootType

	Candidates []struct {
		Family, Name, Evidence string
		Likely                 []string
	}
}

// likely returns the likely capabilities of an added entry, as "; likely compute+utility (14 of 14 in 2080.13)", or the reason why
// none are known.
func (b *bootstrap) likely(entry bootEntry) string {
	for _, one := range b.Candidates {
		if one.Family != entry.Family || (one.Name != entry.Name && one.Name != textOf(entry.Constant)) {
			continue
		}
		if len(one.Likely) == 0 {
			return fmt.Sprintf(" (%s)", one.Evidence)
		}
		return fmt.Sprintf("; likely %s (%s)", strings.Join(one.Likely, "+"), one.Evidence)
	}
	return ""
}

type bootNode struct {
	Version   string
	Parent    *string
	WasParent *string `json:"was_parent"` // the old parent of a node of the tree whose parent is now a new node
	Supported bool
	Exists    bool
	SHA256    map[string]*string `json:"sha256"`
}

// bootSide describes an entry in one version.
type bootSide struct {
	Name     string
	Number   uint64
	Constant *string
	Record   *string
	Type     *string
	Size     *uint64
}

type bootEntry struct {
	bootSide
	Family string
	Node   string
	Use    string
	Action string
	Was    *bootSide
	Caps   []string
	Why    string

	// NewHandler is the handler that the entry needs: that of a different entry with the same record, or the simple handler of the
	// family.
	NewHandler *bootHandler `json:"new_handler"`

	// RequestSize is the size that is encoded in the request of a frontend ioctl; nil if every size is accepted.
	RequestSize *uint64 `json:"request_size"`

	// Pointers are the pointers in an added command's parameters that the driver follows. Unknown lists facts that the handler needs
	// and that are unknown.
	Pointers []bootPointer
	FDs      []bootFD
	Unknown  []bootUnknown
}

type bootHandler struct {
	Kind string  // "ctrlHasFrontendFD"
	Type *string // its type argument
}

type bootType struct {
	Name, Record, Since string
	Replaces            *string
	Size                uint64
	Fields              []struct {
		Name, Type, Kind string
		Offset           int64
	}
}

// readBootstrap reads path, or bootstrap.json if path is a directory.
func readBootstrap(path string) (*bootstrap, error) {
	if info, err := os.Stat(path); err == nil && info.IsDir() {
		path = filepath.Join(path, "bootstrap.json")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	var boot bootstrap
	if err := json.Unmarshal(text, &boot); err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	if boot.Format != bootstrapFormat {
		return nil, fmt.Errorf("%s: the format is '%s', not %s; write the file with drvabi bootstrap -o DIR", path, boot.Format, bootstrapFormat)
	}
	return &boot, nil
}

// textOf returns an optional string of the JSON, or "".
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
