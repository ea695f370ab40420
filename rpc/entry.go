package rpc

import (
	"encoding/binary"
	"time"
)

// entryVersion is the first byte of a stored result: the encoding of what
// follows. An entry of another version is a miss.
const entryVersion = 1

// An entry is a result as it is stored:
//
//	version   1 byte
//	fresh     8 bytes, big endian: nanoseconds since 1970 until which the
//	          result is fresh; 0: as long as it is there
//	key       its length as a uvarint, and the full key
//	result    the rest: JSON
//
// The key is compared on each read: a store that finds by hash can give out
// the entry of another key.

// appendEntry appends what goes before the result.
func appendEntry(b []byte, key string, fresh time.Time) []byte {
	b = append(b, entryVersion)
	var nanos uint64
	if !fresh.IsZero() {
		nanos = uint64(fresh.UnixNano())
	}
	b = binary.BigEndian.AppendUint64(b, nanos)
	return appendPart(b, key)
}

// readEntry is the result in an entry; ok is false when it is none of key.
func readEntry(entry []byte, key string) (result []byte, fresh, ok bool) {
	if len(entry) < 9 || entry[0] != entryVersion {
		return nil, false, false
	}
	nanos := binary.BigEndian.Uint64(entry[1:])
	n, width := binary.Uvarint(entry[9:])
	if width <= 0 || n != uint64(len(key)) {
		return nil, false, false
	}
	rest := entry[9+width:]
	if uint64(len(rest)) <= n || string(rest[:n]) != key { // no result is empty
		return nil, false, false
	}
	return rest[n:], nanos == 0 || time.Now().UnixNano() < int64(nanos), true
}

// appendPart appends text with its length, so that parts cannot run together.
func appendPart[T string | []byte](b []byte, text T) []byte {
	b = binary.AppendUvarint(b, uint64(len(text)))
	return append(b, text...)
}
