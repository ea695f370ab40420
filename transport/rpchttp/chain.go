package rpchttp

import "strconv"

// maxChain is how many calls may wait for each other in a row.
const maxChain = 16

// What rank knows besides the rank itself, which is at least 1.
const (
	unranked = -iota
	ranking
	circular
)

// order finds the members that could never begin, or only after too many
// others. They fail at once and wait for nobody.
func (r *references) order() {
	ranks := make([]int, len(r.of))
	for i := range r.of {
		r.rank(i, ranks)
	}
	for i, rank := range ranks {
		switch {
		case r.faults[i] != nil:
		case rank == circular:
			r.faults[i] = r.first(i, ranks, circular).fault("waits in a circle: that call needs the answer of this one, or of one that waits so.")
		case rank > maxChain:
			r.faults[i] = r.first(i, ranks, rank-1).fault("is too far down: at most " + strconv.Itoa(maxChain) + " calls may wait for each other in a row.")
		}
	}
	for i := range r.of {
		if r.faults[i] != nil {
			r.parents[i] = nil
		}
	}
}

// rank is 1 for a member that waits for none, else one more than its highest
// parent; circular in a circle, and behind one.
func (r *references) rank(i int, ranks []int) int {
	if r.faults[i] != nil {
		return 0 // it fails at once
	}
	if ranks[i] != unranked {
		return ranks[i]
	}
	ranks[i] = ranking
	highest := 0
	for _, p := range r.parents[i] {
		rank := r.rank(p, ranks)
		if rank < unranked {
			ranks[i] = circular
			return circular
		}
		highest = max(highest, rank)
	}
	ranks[i] = highest + 1
	return ranks[i]
}

// first is the first reference of member i to a parent of that rank.
func (r *references) first(i int, ranks []int, rank int) *reference {
	for k := range r.of[i] {
		if p := r.of[i][k].parent; p != literal && ranks[p] == rank {
			return &r.of[i][k]
		}
	}
	return &r.of[i][0]
}
