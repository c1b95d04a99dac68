package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

const bootstrapFormat = "drvabi-bootstrap/1"

// bootstrap is what `drvabi bootstrap -o DIR` wrote into DIR/bootstrap.json, as far as it is needed here.
type bootstrap struct {
	Format   string
	Table    string // of which proxy it is
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

// likely is "; likely compute+utility (14 of 14 in 2080.13)" for an entry that is added, or the reason why nothing is likely.
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
	WasParent *string `json:"was_parent"` // of a node of the tree that follows a new one from now on
	Supported bool
	Exists    bool
	SHA256    map[string]*string `json:"sha256"`
}

// bootSide is an entry as one version has it.
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

	// NewHandler is the handler that the entry needs: of an entry that the table has for the same record, or of its family's simple kind.
	NewHandler *bootHandler `json:"new_handler"`

	// RequestSize is the size in the request of a frontend ioctl; nil: any size may pass.
	RequestSize *uint64 `json:"request_size"`

	// Pointers are what the driver follows in the parameters of a command that is added; Unknown is what else a handler has to know.
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

// readBootstrap reads DIR/bootstrap.json, or the file that is named.
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
		return nil, fmt.Errorf("%s: the format is '%s', not %s; it is written by drvabi bootstrap -o DIR", path, boot.Format, bootstrapFormat)
	}
	return &boot, nil
}

// textOf is a string that JSON may leave out.
func textOf(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}
