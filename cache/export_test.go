package cache

// NewColliding makes a pool in which all keys have one hash.
func NewColliding(bytes int64) (*Memory, error) {
	return newMemory(bytes, func(string) uint64 { return 7 }, nil)
}

// Kept returns how many records take memory, and how many places of the heaps.
func (m *Memory) Kept() (records, timed int) {
	for i := range m.records.shards {
		s := &m.records.shards[i]
		s.mu.Lock()
		records += len(s.records)
		timed += cap(s.timed)
		s.mu.Unlock()
	}
	if int64(records) != m.records.used.Load() {
		panic("the count of the records is wrong")
	}
	return records, timed
}

// Sweeping reports whether the timer of the sweeper is set.
func (m *Memory) Sweeping() bool { return m.records.sweeper.running.Load() }
