package nvgpu

// UVM_TOY_UNMAP_PARAMS is the parameter of UVM_TOY_UNMAP.
type UVM_TOY_UNMAP_PARAMS struct {
	RMStatus uint32
}

// GetStatus is what the driver said.
func (p *UVM_TOY_UNMAP_PARAMS) GetStatus() uint32 { return p.RMStatus }

// SetStatus sets it.
func (p *UVM_TOY_UNMAP_PARAMS) SetStatus(status uint32) { p.RMStatus = status }
