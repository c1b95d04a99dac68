package proxysource

// Table is a proxy table, drvabi-proxy/1: docs/formats.md describes it.
type Table struct {
	Format   string              `json:"format"`
	Proxy    string              `json:"proxy"`
	Revision string              `json:"revision"`
	Driver   string              `json:"driver"`
	Passed   []Passed            `json:"passed,omitempty"`
	Types    map[string]*TypeDef `json:"types"`
	Versions []*Node             `json:"versions"`
}

// Node is a version, and what differs in it from its parent.
type Node struct {
	Version   string             `json:"version"`
	Parent    *string            `json:"parent"`
	Supported bool               `json:"supported"`
	Sha256    map[string]string  `json:"sha256,omitempty"`
	Ioctls    map[string]Entries `json:"ioctls,omitempty"` // by family
}

// Entries are by name; nil is one that the parent has and this node has not.
type Entries map[string]*Entry

// Entry is an ioctl that the proxy forwards.
type Entry struct {
	Number   uint64      `json:"number"`
	Constant *string     `json:"constant"`
	Caps     []string    `json:"caps,omitzero"` // nil: not known
	Structs  []StructUse `json:"structs"`
	Handler  *HandlerUse `json:"handler,omitempty"` // nil: not known
}

// StructUse is a struct of the driver, and the proxy's own type; nil: passed through unread.
type StructUse struct {
	Driver string  `json:"driver"`
	Proxy  *string `json:"proxy"`
}

// TypeDef is a type of the proxy: a struct, or another name for a type.
type TypeDef struct {
	Size   uint64     `json:"size"`
	Alias  string     `json:"alias,omitempty"`
	Fields []FieldDef `json:"fields,omitempty"`
	Role   string     `json:"role,omitempty"`
}

// FieldDef is a field of a struct.
type FieldDef struct {
	Name   string `json:"name"`
	Offset uint64 `json:"offset"`
	Type   string `json:"type"`
}
