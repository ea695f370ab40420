package mcp

import (
	"net/http"

	"github.com/facet-rpc/facet/transport/internal/jsonrpc"
)

// version is a revision of the protocol. Later ones compare greater.
type version uint8

// The revisions. Those before 2026-07-28 begin with initialize, the session
// era; from it on every request stands alone and says its version in _meta.
const (
	unknownVersion version = iota
	v20241105
	v20250326
	v20250618
	v20251125
	v20260728
)

// newestLegacy answers an initialize that asks for a version of no session.
const newestLegacy = v20251125

// assumedVersion is that of a session-era request without the header
// (2025-06-18 and later, transports, "Protocol Version Header").
const assumedVersion = v20250326

// supportedVersions is what server/discover and errors list, newest first.
func supportedVersions() []string {
	return []string{"2026-07-28", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}
}

func versionOf(s string) version {
	switch s {
	case "2024-11-05":
		return v20241105
	case "2025-03-26":
		return v20250326
	case "2025-06-18":
		return v20250618
	case "2025-11-25":
		return v20251125
	case "2026-07-28":
		return v20260728
	}
	return unknownVersion
}

func (v version) String() string {
	all := supportedVersions()
	return all[len(all)-int(v)]
}

func (v version) modern() bool { return v >= v20260728 }
func (v version) legacy() bool { return v != unknownVersion && v < v20260728 }

// versionHeader is MCP-Protocol-Version as it was sent.
type versionHeader struct {
	text     string // empty: absent
	repeated bool
}

func versionHeaderOf(h http.Header) versionHeader {
	text, n := field(h, headerVersion)
	return versionHeader{text, n > 1}
}

// modern decides whether a request is of the era of 2026-07-28. It is when
// the header names a version that is not of the session era, or when _meta
// names one: then it is served without a session, or refused with an error
// from which a client that knows both eras learns what it talks to
// (2026-07-28, versioning, "Backward Compatibility"). An envelope of the new
// era around a version of the old one, equal in header and _meta, is served
// as the version says. The methods that only the new era has belong to it
// also without any sign, so that their callers hear which keys are missing.
func modern(h versionHeader, method []byte, m *meta) bool {
	v := versionOf(h.text)
	switch {
	case h.repeated, h.text != "" && !v.legacy():
		return true
	case m.version.state != absent:
		return !v.legacy() || string(m.version.value) != h.text
	case h.text != "":
		return false
	}
	return string(method) == "server/discover" || string(method) == "subscriptions/listen"
}

// modernBatch does the same for a batch, which the new era does not have.
func modernBatch(h versionHeader, reqs []jsonrpc.Request) bool {
	var p params
	for i := range reqs {
		p.read(reqs[i].Params)
		if modern(h, reqs[i].Method, &p.meta) {
			return true
		}
	}
	return false
}
