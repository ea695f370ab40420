package guard

import (
	"crypto/sha256"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"go.uber.org/zap"
)

// TokenSource is a text of tokens outside of the program: [TokensFromEnv] or
// [TokensFromFile]. The zero TokenSource is none. Each line is a token:
//
//	# what is behind a # at the beginning is a comment
//	s3cr3t-0f-the-0ffice  office  groups=default,internal  scopes=orders.write
//
// that is the secret, the caller's ID, its groups and its scopes. Only the
// secret must be there; with several tokens, the ID as well. Without groups it
// is [rpc.DefaultGroup].
type TokenSource struct{ env, file string }

// TokensFromEnv reads the environment variable when the policy is mounted.
func TokensFromEnv(name string) TokenSource { return TokenSource{env: name} }

// TokensFromFile reads the file when the policy is mounted, and again when it
// has changed, at most once a second, as requests come. A changed file that
// cannot be read, or has a fault, is logged, and the tokens from before stay.
// Replace the file by renaming another one over it, so that no half of it is read.
func TokensFromFile(path string) TokenSource { return TokenSource{file: path} }

// checkSource reads the tokens for the first time. file is nil but for a file.
func (p Policy) checkSource(log *zap.Logger, f *faults) (secrets []secret, file *tokenFile) {
	switch s := p.TokenSource; {
	case s == TokenSource{}:
		return nil, nil
	case s.env != "":
		return parseTokens(os.Getenv(s.env), "the environment variable "+s.env, f), nil
	}
	file = &tokenFile{path: p.TokenSource.file, log: log, start: time.Now()}
	text, err := os.ReadFile(file.path)
	if err != nil {
		f.add("TokenSource: %w", err)
		return nil, nil
	}
	secrets = parseTokens(string(text), file.path, f)
	file.digest = sha256.Sum256(text)
	file.secrets.Store(&secrets)
	file.next.Store(int64(checkEvery))
	return secrets, file
}

// parseTokens tells of faults the line, never what stands there.
func parseTokens(text, name string, f *faults) []secret {
	var tokens []Token
	var lines []int
	at := 0
	for line := range strings.Lines(text) {
		at++
		fields := strings.Fields(line)
		if len(fields) == 0 || fields[0][0] == '#' {
			continue
		}
		t := Token{Secret: fields[0]}
		for i, field := range fields[1:] {
			key, list, named := strings.Cut(field, "=")
			switch {
			case !named && i == 0:
				t.Caller.ID = field
			case key == "groups" && list != "" && t.Caller.Groups == nil:
				t.Caller.Groups = strings.Split(list, ",")
			case key == "scopes" && list != "" && t.Caller.Scopes == nil:
				t.Caller.Scopes = strings.Split(list, ",")
			default:
				f.add("%s, line %d: field %d is not understood; a line is: secret id groups=a,b scopes=c,d", name, at, i+2)
			}
		}
		tokens, lines = append(tokens, t), append(lines, at)
	}
	if len(tokens) == 0 {
		f.add("%s holds no token; a line is: secret id groups=a,b scopes=c,d", name)
	}
	return checkTokens(tokens, func(i int) string { return fmt.Sprintf("%s, line %d: Token", name, lines[i]) }, f)
}

// checkEvery is how often the file is looked at, at most.
const checkEvery = time.Second

// tokenFile is a file of tokens that may change.
type tokenFile struct {
	path  string
	log   *zap.Logger
	start time.Time

	secrets atomic.Pointer[[]secret]
	next    atomic.Int64 // when to look again, in nanoseconds since start

	mu      sync.Mutex // of reload
	digest  [sha256.Size]byte
	problem string // why the file could not be read, empty if it could
}

// current are the tokens of now.
func (t *tokenFile) current() []secret {
	now, next := int64(time.Since(t.start)), t.next.Load()
	if now >= next && t.next.CompareAndSwap(next, now+int64(checkEvery)) && t.mu.TryLock() {
		t.reload()
		t.mu.Unlock()
	}
	return *t.secrets.Load()
}

// reload compares what stands in the file and not its time: two changes may
// have the same one.
func (t *tokenFile) reload() {
	text, err := os.ReadFile(t.path)
	if err != nil {
		if t.problem != err.Error() {
			t.problem = err.Error()
			t.keep(err)
		}
		return
	}
	t.problem = ""
	digest := sha256.Sum256(text)
	if digest == t.digest {
		return
	}
	t.digest = digest
	var f faults
	secrets := parseTokens(string(text), t.path, &f)
	if err := f.err(); err != nil {
		t.keep(err)
		return
	}
	t.secrets.Store(&secrets)
	t.log.Info("the tokens were read again", zap.String("file", t.path), zap.Int("tokens", len(secrets)))
}

func (t *tokenFile) keep(err error) {
	t.log.Error("the tokens could not be read again; those from before stay", zap.String("file", t.path), zap.Error(err))
}
