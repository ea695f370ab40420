package openrpc

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/base64"
	"fmt"
	"html"
	"strings"
)

// assets are the parts of the page as they were written.
//
//go:embed page
var assets embed.FS

// The files of the page, in the order in which they are joined. They are put
// into the page itself: one request, the same behind every path and proxy.
var (
	styles  = [...]string{"base.css", "layout.css", "method.css", "schema.css", "form.css", "dialog.css"}
	scripts = [...]string{
		"dom.js", "icon.js", "theme.js", "markdown.js", "json.js", "document.js", "schema.js", "sample.js",
		"fields.js", "field.js", "form.js", "call.js", "snippet.js", "code.js", "token.js", "response.js",
		"try.js", "method.js", "overview.js", "sidebar.js", "search.js", "main.js",
	}
)

// assemble makes the page with its settings, and the policy that names the
// hashes of its script and its style: nothing else is run or applied.
func assemble(title string, settings []byte, origins []string) (*Page, error) {
	frame, err := assets.ReadFile("page/page.html")
	if err != nil {
		return nil, err
	}
	style, err := joined(styles[:])
	if err != nil {
		return nil, err
	}
	script, err := joined(scripts[:])
	if err != nil {
		return nil, err
	}
	page := string(frame)
	for _, part := range []struct{ mark, text string }{
		{"{{style}}", style},
		{"{{script}}", script},
		{"{{settings}}", harmless(settings)},
		{"{{title}}", html.EscapeString(title)}, // stands first, so no text before is taken for it
	} {
		before, after, ok := strings.Cut(page, part.mark)
		if !ok {
			return nil, fmt.Errorf("openrpc: page.html has no %s", part.mark)
		}
		page = before + part.text + after
	}
	p := &Page{plain: newVariant([]byte(page)), policy: policy(script, style, origins)}
	p.zipped, err = p.plain.zip()
	return p, err
}

// joined is the text of files, one after another.
func joined(names []string) (string, error) {
	var b strings.Builder
	for _, name := range names {
		text, err := assets.ReadFile("page/" + name)
		if err != nil {
			return "", err
		}
		b.Write(text)
	}
	return b.String(), nil
}

// harmless is JSON that cannot end the script element it stands in.
func harmless(settings []byte) string {
	return string(bytes.ReplaceAll(settings, []byte("<"), []byte(`\u003c`)))
}

// policy is the Content-Security-Policy of a page. The image is the icon,
// which is a data URL; documents bring none. Strings never become markup or
// code, not even by a mistake in the script: trusted types have no policy.
func policy(script, style string, origins []string) string {
	connect := strings.Join(append([]string{"'self'"}, origins...), " ")
	return strings.Join([]string{
		"default-src 'none'",
		"script-src " + hash(script),
		"style-src " + hash(style),
		"connect-src " + connect,
		"img-src data:",
		"base-uri 'none'",
		"form-action 'none'",
		"frame-ancestors 'none'",
		"require-trusted-types-for 'script'",
		"trusted-types 'none'",
	}, "; ")
}

// hash is a source expression of CSP level 2 for an element's text.
func hash(text string) string {
	sum := sha256.Sum256([]byte(text))
	return "'sha256-" + base64.StdEncoding.EncodeToString(sum[:]) + "'"
}
