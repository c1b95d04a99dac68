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

// Node is a version, with its differences from its parent.
type Node struct {
	Version   string             `json:"version"`
	Parent    *string            `json:"parent"`
	Supported bool               `json:"supported"`
	Sha256    map[string]string  `json:"sha256,omitempty"`
	Ioctls    map[string]Entries `json:"ioctls,omitempty"` // by family
}

// Entries has entries by name. nil is an entry that the parent has and this node does not have.
type Entries map[string]*Entry

// Entry is an ioctl that the proxy forwards.
type Entry struct {
	Number   uint64      `json:"number"`
	Constant *string     `json:"constant"`
	Caps     []string    `json:"caps,omitzero"` // nil: unknown
	Structs  []StructUse `json:"structs"`
	Handler  *HandlerUse `json:"handler,omitempty"` // nil: unknown
}

// StructUse is a struct of the driver and the proxy's type for it. Proxy is nil if the struct is forwarded unread.
type StructUse struct {
	Driver string  `json:"driver"`
	Proxy  *string `json:"proxy"`
}

// TypeDef is a type of the proxy: a struct, or an alias.
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
