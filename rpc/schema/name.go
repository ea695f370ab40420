package schema

// name gives definitions their names.
func (m *Model) name(fresh []*Type) {}
