package links

import "time"

// Elsewhere tells which terminals hang at other hubs now, all of them, and since when. How they are is in the records: these hubs write it
// down.
func (b *Board) Elsewhere(all map[string]time.Time) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for terminal, since := range all {
		e := b.entries[terminal]
		if e == nil {
			e = &entry{}
			b.entries[terminal] = e
		}
		if e.link != nil || e.elsewhere && e.Since.Equal(since) {
			continue
		}
		e.elsewhere, e.Presence = true, Presence{Terminal: terminal, Online: true, Since: since}
		b.tell(e)
	}
	for terminal, e := range b.entries {
		if _, is := all[terminal]; e.elsewhere && !is {
			e.elsewhere, e.Online, e.Since = false, false, time.Now()
			b.tell(e)
		}
	}
}

// SeenElsewhere has watchers look again at terminals of which another hub has written down how they are.
func (b *Board) SeenElsewhere(terminals []string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, terminal := range terminals {
		if e := b.entries[terminal]; e != nil && e.elsewhere {
			b.tell(e)
		}
	}
}
