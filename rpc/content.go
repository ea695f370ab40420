package rpc

// Content is a result made of blocks other than plain JSON. Agents get the
// blocks as they are, /rpc encodes them as an array of objects.
type Content []Block

// Block is one piece of [Content]; make it with [TextBlock], [ImageBlock],
// [AudioBlock], [LinkBlock], [ResourceBlock] or [BlobBlock].
type Block struct {
	Type        string    `json:"type"`
	Text        *string   `json:"text,omitzero"`
	Data        []byte    `json:"data,omitzero"`
	MimeType    string    `json:"mimeType,omitempty"`
	URI         string    `json:"uri,omitempty"`
	Name        string    `json:"name,omitempty"`
	Description string    `json:"description,omitempty"`
	Resource    *Resource `json:"resource,omitzero"`
}

// Resource is a document embedded in a [Block]: Text or Blob.
type Resource struct {
	URI      string  `json:"uri"`
	MimeType string  `json:"mimeType,omitempty"`
	Text     *string `json:"text,omitzero"`
	Blob     []byte  `json:"blob,omitzero"`
}

// TextBlock is plain text.
func TextBlock(text string) Block { return Block{Type: "text", Text: &text} }

// ImageBlock is a picture, such as image/png.
func ImageBlock(mimeType string, data []byte) Block {
	return Block{Type: "image", MimeType: mimeType, Data: present(data)}
}

// AudioBlock is sound, such as audio/wav.
func AudioBlock(mimeType string, data []byte) Block {
	return Block{Type: "audio", MimeType: mimeType, Data: present(data)}
}

// LinkBlock points at a document.
func LinkBlock(uri, name, description, mimeType string) Block {
	return Block{Type: "resource_link", URI: uri, Name: name, Description: description, MimeType: mimeType}
}

// ResourceBlock embeds a document that is text.
func ResourceBlock(uri, mimeType, text string) Block {
	return Block{Type: "resource", Resource: &Resource{URI: uri, MimeType: mimeType, Text: &text}}
}

// BlobBlock embeds any other document.
func BlobBlock(uri, mimeType string, data []byte) Block {
	return Block{Type: "resource", Resource: &Resource{URI: uri, MimeType: mimeType, Blob: present(data)}}
}

// present is data, not nil: an empty picture is still one.
func present(data []byte) []byte {
	if data == nil {
		return []byte{}
	}
	return data
}
