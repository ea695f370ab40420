package events

// Option changes how a listener is called. The options are: [Priority] and
// [Async].
type Option interface{ apply(*settings) }

type settings struct {
	priority int
	queue    int // of an Async listener; 0: it is called at once
}

// Priority puts a listener before those with a lower number. Without it the
// priority is 0; negative numbers come after that.
func Priority(n int) Option { return priority(n) }

type priority int

func (p priority) apply(s *settings) { s.priority = int(p) }
