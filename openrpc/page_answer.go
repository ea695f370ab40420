package openrpc

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// variant is the page in one encoding.
type variant struct {
	bytes []byte
	etag  string
}

func newVariant(b []byte) variant {
	sum := sha256.Sum256(b)
	return variant{b, `"` + hex.EncodeToString(sum[:16]) + `"`}
}

// zip is v in gzip, made once for all readers.
func (v variant) zip() (variant, error) {
	var b bytes.Buffer
	z, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return variant{}, err
	}
	if _, err := z.Write(v.bytes); err != nil {
		return variant{}, err
	}
	if err := z.Close(); err != nil {
		return variant{}, err
	}
	return newVariant(b.Bytes()), nil
}

// answer writes the page, or 304 to who has it.
func (p *Page) answer(w http.ResponseWriter, r *http.Request) {
	h, v := w.Header(), p.plain
	h.Add("Vary", "Accept-Encoding")
	if takesGzip(r.Header.Values("Accept-Encoding")) {
		v = p.zipped
		h.Set("Content-Encoding", "gzip")
	}
	h.Set("Content-Type", "text/html; charset=utf-8")
	h.Set("Content-Language", "en") // of the page itself, whatever its documents speak
	h.Set("Content-Security-Policy", p.policy)
	h.Set("X-Content-Type-Options", "nosniff")
	h.Set("Referrer-Policy", "no-referrer")
	h.Set("ETag", v.etag)
	h.Set("Cache-Control", "no-cache") // a release may change it; 304 is cheap
	r.Header.Del("Range")              // a part of an encoded page is of no use
	http.ServeContent(w, r, "", time.Time{}, bytes.NewReader(v.bytes))
}

// takesGzip reports whether Accept-Encoding allows gzip (RFC 9110 section
// 12.5.3): named, or meant by *, and not with the weight 0.
func takesGzip(values []string) bool {
	named, others := -1.0, -1.0
	for _, value := range values {
		for part := range strings.SplitSeq(value, ",") {
			name, parameter, _ := strings.Cut(part, ";")
			weight := 1.0
			if q, ok := strings.CutPrefix(strings.ToLower(strings.TrimSpace(parameter)), "q="); ok {
				n, err := strconv.ParseFloat(q, 64)
				if err != nil {
					continue
				}
				weight = n
			}
			switch strings.ToLower(strings.TrimSpace(name)) {
			case "gzip", "x-gzip":
				named = max(named, weight)
			case "*":
				others = weight
			}
		}
	}
	if named >= 0 {
		return named > 0
	}
	return others > 0
}
