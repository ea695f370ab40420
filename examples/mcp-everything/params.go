package main

// ContactMethod is a way to reach somebody.
type ContactMethod string

// The ways.
const (
	Phone ContactMethod = "phone"
	Email ContactMethod = "email"
)

// address has the name under which the conformance suite looks for it.
type address struct {
	Street string `json:"street,omitempty"`
	City   string `json:"city,omitempty"`
}

type ContactParams struct {
	Name          string        `json:"name,omitempty"`
	Address       *address      `json:"address,omitempty"`
	ContactMethod ContactMethod `json:"contactMethod,omitempty"`
	Phone         string        `json:"phone,omitempty" validate:"required_if=ContactMethod phone"`
	Email         string        `json:"email,omitempty" validate:"required_if=ContactMethod email"`
}

// Contact answers how somebody is reached. Its schema refers to a definition;
// which of phone and email is there depends on the method of contact.
func (Everything) Contact(p ContactParams) string {
	if p.ContactMethod == Phone {
		return p.Phone
	}
	return p.Email
}

type XMcpHeaderParams struct {
	// Region is where the work is done. Clients repeat it in the header
	// Mcp-Param-Region, so that a proxy can route by it.
	Region string `json:"region" mcp:"header=Region"`
}

// XMcpHeader answers the region that it was called for.
func (Everything) XMcpHeader(p XMcpHeaderParams) string { return p.Region }
