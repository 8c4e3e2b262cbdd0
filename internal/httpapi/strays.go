package httpapi

import (
	"net/http"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/configfile"
)

// A field that nobody asks for is passed over, as the interface has it; a typing error then costs its caller an afternoon. So what was
// asked for is remembered while a body is read, and what is left in the end is told of in the log. A request whose fields are all
// known pays for it with a mark a field.

// readFields are the objects of one body. The next body uses it again.
type readFields struct {
	fault error
	outer fields
	last  *fields // opened last; each has the one opened before it
	room  [mostMissed]string
}

// mostMissed is how many names that are not there are remembered of an object.
const mostMissed = 12

var readings = sync.Pool{New: func() any { return new(readFields) }}

// asked is what of an object was asked for.
type asked struct {
	all    *readFields // nil: nobody wants to know
	before *fields
	read   uint64   // the members, by their places; those beyond are not watched
	missed []string // the first names that are not there
}

// newFields reads the object that a body is; until the request ends, where it is a caller's.
func newFields(members object, in *boundedBody) *fields {
	if in == nil {
		return &fields{members: members, fault: new(error)}
	}
	all := readings.Get().(*readFields)
	all.fault = nil
	all.outer = fields{members: members, fault: &all.fault, asked: asked{all: all, missed: all.room[:0]}}
	all.last = &all.outer
	in.fields = all
	return &all.outer
}

// release gives it back; nobody may use its fields any more.
func (all *readFields) release() {
	all.fault, all.outer, all.last = nil, fields{}, nil // a body's text must not be kept
	readings.Put(all)
}

// inside are the fields of an object inside, which has no members yet.
func (f *fields) inside(path string) *fields {
	inner := &fields{path: path, fault: f.fault, asked: asked{all: f.all}}
	if f.all != nil {
		inner.before, f.all.last = f.all.last, inner
	}
	return inner
}

// get is the member of a name.
func (f *fields) get(name string) (m member, there bool) {
	i := f.members.find(name)
	if i < 0 {
		f.miss(name)
		return member{}, false
	}
	f.read |= 1 << i
	return f.members[i], true
}

func (a *asked) miss(name string) {
	if n := len(a.missed); a.all != nil && n < mostMissed && (n == 0 || a.missed[n-1] != name) {
		a.missed = append(a.missed, name)
	}
}

// strays remembers which unknown names it told of today: a caller sends the same ones with every request.
type strays struct {
	mu   sync.Mutex
	day  string
	told map[string]bool
}

// mostStrays bounds what is told, and remembered, in a day.
const mostStrays = 500

// first tells whether a name is new today.
func (s *strays) first(name string) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if today := time.Now().Format(time.DateOnly); s.day != today {
		s.day, s.told = today, map[string]bool{}
	}
	if s.told[name] || len(s.told) >= mostStrays {
		return false
	}
	s.told[name] = true
	return true
}

// tellStrays tells of fields that nobody asked for. Of a body with something wrong not all was asked for.
func (api *API) tellStrays(r *http.Request, route string) {
	body := bodyOf(r)
	if body == nil || body.fields == nil || body.fields.fault != nil {
		return
	}
	for f := body.fields.last; f != nil; f = f.before {
		for i, m := range f.members {
			if i < 64 && f.read&(1<<i) == 0 {
				api.tellStray(r, route, f, m.name)
			}
		}
	}
}

func (api *API) tellStray(r *http.Request, route string, f *fields, name string) {
	switch i := f.members.find(name); {
	case i < 64 && f.read&(1<<i) != 0: // it stands there twice, and the last counted
		return
	case name == "id" && strings.HasSuffix(route, "}"): // what the path names already may be named again
		return
	}
	const most = 80
	name = strings.ToValidUTF8(name[:min(len(name), most)], "")
	near := configfile.Nearest(strings.ReplaceAll(name, "_", ""), f.missed)
	if f.path != "" {
		if outer := f.all.outer.missed; near == "" && slices.Contains(outer, name) {
			near = name + ", fora de " + f.path
		}
		name = index.ReplaceAllString(f.path, "[]") + "." + name
	}
	if api.strays.first(route + " " + name) {
		api.Story.UnknownField(r.Context(), route, name, near)
	}
}

// index is taken out of a path: each element of a list has the same fields.
var index = regexp.MustCompile(`\[[0-9]+\]`)
