package i18n

import (
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io/fs"
	"path"
	"sync"
	"sync/atomic"
	"time"

	"github.com/facet-rpc/facet/i18n/internal/textfile"
)

// Follow is for development: the texts are read again when their files, on
// disk such as in os.DirFS("."), have changed. It is found out when a text is
// asked for, at most twice a second, so nothing runs in the background. What
// was rendered with the old texts is not used again: documents, lists of tools
// and cached results.
//
// With something wrong in a file the texts stay as they were, and report gets
// the error, once, with file, line and key. A default language whose file is
// taken away is such an error too.
func Follow(report func(error)) Option {
	return func(s *settings) { s.report = report }
}

// pause is between two looks at the files, at least.
const pause = 500 * time.Millisecond

// follower reads the files again.
type follower struct {
	fsys     fs.FS
	settings *settings
	library  atomic.Pointer[library]
	next     atomic.Int64 // when to look again, in nanoseconds since 1970

	mu    sync.Mutex
	known func(group, key string) bool // nil: not held against any registry
	sum   uint64                       // of the files as they were last, right or wrong
}

func newFollower(fsys fs.FS, s *settings) (*follower, error) {
	f := &follower{fsys: fsys, settings: s}
	f.sum = sum(fsys)
	l, err := f.read(f.sum)
	if err != nil {
		return nil, err
	}
	f.library.Store(l)
	f.next.Store(time.Now().Add(pause).UnixNano())
	return f, nil
}

// now is the texts; whoever comes first after the pause looks at the files,
// and the others do not wait.
func (f *follower) now() *library {
	if now := time.Now(); now.UnixNano() >= f.next.Load() && f.mu.TryLock() {
		f.look()
		f.next.Store(now.Add(pause).UnixNano())
		f.mu.Unlock()
	}
	return f.library.Load()
}

// look reads the files if they have changed. f.mu is held.
func (f *follower) look() {
	sum := sum(f.fsys)
	if sum == f.sum {
		return
	}
	f.sum = sum
	l, err := f.read(sum)
	if err == nil && f.known != nil {
		err = errors.Join(l.check(f.known)...)
	}
	if err != nil {
		f.settings.report(err)
		return
	}
	f.library.Store(l)
}

func (f *follower) read(sum uint64) (*library, error) {
	files, err := textfile.Read(f.fsys, folder)
	if err != nil {
		return nil, err
	}
	l, err := newLibrary(f.settings, files)
	if err != nil {
		return nil, err
	}
	l.revision = sum
	return l, nil
}

// hold makes known what later files are held against.
func (f *follower) hold(known func(group, key string) bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.known = known
}

// sum tells one state of the files from another. It is the same in all
// processes, which may share a cache.
func sum(fsys fs.FS) uint64 {
	h := sha256.New()
	for _, dir := range [2]string{folder, path.Join(folder, "rpc")} {
		entries, err := fs.ReadDir(fsys, dir)
		if err != nil {
			continue // the reader tells, where the folder must be there
		}
		for _, e := range entries {
			if e.IsDir() {
				continue
			}
			text, _ := fs.ReadFile(fsys, path.Join(dir, e.Name())) // as above
			for _, part := range [2][]byte{[]byte(path.Join(dir, e.Name())), text} {
				h.Write(binary.AppendUvarint(nil, uint64(len(part))))
				h.Write(part)
			}
		}
	}
	return binary.BigEndian.Uint64(h.Sum(nil))
}
