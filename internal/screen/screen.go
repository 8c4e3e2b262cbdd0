// Package screen is the model of what the terminal shows: the display's stack, a sale's closing message,
// notifications, and whether the app is in the foreground.
//
// Sales, questions and payments show what their own desks hold; View says which of all these is on top. Whoever
// draws the screen watches Changes and reads the truth again. Nothing here outlives a restart.
package screen

import (
	"slices"
	"sync"
	"time"

	"github.com/maquininha/maquininha/internal/bell"
	"github.com/maquininha/maquininha/internal/operation"
)

// Content is something the display can show: an Image, a Text or a Carousel.
type Content interface {
	held() int // bytes of memory
}

// Picture is an encoded image with what its header says.
type Picture struct {
	Data          []byte
	ContentType   string
	Width, Height int
}

// Image fills the screen.
type Image struct {
	Picture         Picture
	ShowCloseButton bool
}

// Text is formatted lines on a colour.
type Text struct {
	Lines           []Line
	BackgroundColor string
	ShowCloseButton bool
}

// Line is a text, a divider or empty line when Rule is set, cells side by side where there are any, or a code.
type Line struct {
	Letters
	Rule    bool
	Divider bool
	Cells   []Cell
	Code    *Code
}

// Letters are a text and how it looks.
type Letters struct {
	Value        string
	Size         int
	Bold, Italic bool
	Align        string
}

// Cell is one of a line's.
type Cell struct {
	Letters
	Weight int // its share of the width
}

// Code is a QR code or a bar code as a picture.
type Code struct {
	Kind    string // qrcode or barcode
	Text    string
	Size    int // the side that was asked for, in dots of paper; zero is the usual one
	Picture Picture
}

// Carousel shows pictures in turn.
type Carousel struct {
	Pictures        []Picture
	Interval        time.Duration
	Transition      string
	BackgroundColor string
	ShowCloseButton bool
}

// besides is what a line or a picture takes besides its letters or dots.
const besides = 64

func (i Image) held() int { return i.Picture.held() }

func (t Text) held() int {
	bytes := 0
	for _, l := range t.Lines {
		bytes += besides + len(l.Value)
		for _, c := range l.Cells {
			bytes += besides + len(c.Value)
		}
		if l.Code != nil {
			bytes += besides + len(l.Code.Text) + l.Code.Picture.held()
		}
	}
	return bytes
}

func (c Carousel) held() int {
	bytes := 0
	for _, p := range c.Pictures {
		bytes += p.held()
	}
	return bytes
}

func (p Picture) held() int { return besides + cap(p.Data) }

// Shown is content on the display. No other, in this run or the next, has its ID.
type Shown struct {
	ID uint64
	Content
	bytes int
}

// Notification asks the operator to bring the app to the front, or says what the caller wants said.
type Notification struct {
	ID          uint64 // grows with each
	Command     string
	Title, Text string // the caller's own words, or Portuguese ones for Own; empty: a command has come
	Own         *Own   // what the terminal itself has to say; nil: the caller's words, or a command
	At          time.Time
	Seen        bool // a page was visible when the caller's words came
}

// Own is something that the terminal has to say by itself: a page has words for it in its language.
type Own struct{ Kind, Amount, Reference string }

// Said tells whether it has words of its own.
func (n Notification) Said() bool { return n.Title != "" }

// keptNotifications is how many of each kind a page that opens late can still show.
const keptNotifications = 20

// These bound the display's memory against a caller that only ever pushes: what lies deepest goes first. The top stays
// whatever it takes; the interface bounds what one request may bring.
const (
	maxStack      = 16
	maxStackBytes = 128 << 20
)

// Model is the screen. Its methods may be called from anywhere.
type Model struct {
	Foreground *Foreground
	// Notified is called at each notification while no page is open; it must not wait. Without words a command has come.
	Notified func(title, text string)
	// Holds, if set before the screen is used, is told how many bytes the display's content takes, whenever that changes.
	Holds func(bytes int)
	// Closed, if set before the screen is used, is told of content that the person took away.
	Closed func(Content)
	// Covered, if set before the screen is used, tells whether what a desk shows lies over a closing message. Each time it may
	// answer otherwise, Changed or Prompted must be called.
	Covered func() bool

	timing        sync.Mutex // of the closing message; before mu
	mu            sync.Mutex
	stack         []Shown
	held          int // bytes of the stack
	closing       *Closing
	closingTimer  *time.Timer
	notifications []Notification // oldest first
	changes       bell.Bell      // rung at every change
	prompts       bell.Bell      // rung when a person may have something new to do
}

// New returns an empty screen; autopilot stands in for a page while none is open.
func New(autopilot bool) *Model {
	m := &Model{}
	m.Foreground = newForeground(autopilot, m.Prompted)
	return m
}

// Changed says that something a desk shows is another now.
func (m *Model) Changed() {
	m.change(func() {})
	m.timeClosing()
}

// Prompted is Changed for what a person acts upon: questions, payments, the foreground.
func (m *Model) Prompted() {
	m.change(m.prompts.Ring)
	m.timeClosing()
}

// Changes is closed at the next change of anything shown.
func (m *Model) Changes() <-chan struct{} { return m.listen(&m.changes) }

// Prompts is closed at the next change that may ask something of a person.
func (m *Model) Prompts() <-chan struct{} { return m.listen(&m.prompts) }

func (m *Model) listen(b *bell.Bell) <-chan struct{} {
	m.mu.Lock()
	defer m.mu.Unlock()
	return b.Wait()
}

func (m *Model) change(fn func()) {
	m.mu.Lock()
	defer m.mu.Unlock()
	fn()
	m.changes.Ring()
}

// setStack keeps the display's content and says what it takes.
func (m *Model) setStack(stack []Shown, held int) {
	m.stack = stack
	if held != m.held && m.Holds != nil {
		m.Holds(held)
	}
	m.held = held
}

// Push shows content on top of what is there.
func (m *Model) Push(c Content) {
	bytes := c.held()
	m.change(func() {
		stack, held, deepest := append(m.stack, Shown{operation.NewID(), c, bytes}), m.held+bytes, 0
		for top := len(stack) - 1; deepest < top && (len(stack)-deepest > maxStack || held > maxStackBytes); deepest++ {
			held -= stack[deepest].bytes
		}
		m.setStack(slices.Delete(stack, 0, deepest), held)
	})
	m.timeClosing()
}

// Pop takes the top off; an empty display stays empty.
func (m *Model) Pop() {
	m.change(m.pop)
	m.timeClosing()
}

func (m *Model) pop() {
	if n := len(m.stack); n > 0 {
		held := m.held - m.stack[n-1].bytes
		m.stack[n-1] = Shown{}
		m.setStack(m.stack[:n-1], held)
	}
}

// CloseDisplay takes the content of that ID off the top, on behalf of the person; false when it is not there.
func (m *Model) CloseDisplay(id uint64) (closed bool) {
	var content Content
	m.change(func() {
		if n := len(m.stack); n > 0 && m.stack[n-1].ID == id {
			content = m.stack[n-1].Content
			m.pop()
			closed = true
		}
	})
	m.timeClosing()
	if closed && m.Closed != nil {
		m.Closed(content)
	}
	return closed
}

// Clear empties the display and takes the closing message away.
func (m *Model) Clear() {
	m.change(func() {
		m.setStack(nil, 0)
		m.dropClosing()
	})
}

// Notify shows the notification of a command.
func (m *Model) Notify(command string) { m.notify(Notification{Command: command}) }

// Announce shows a notification in the caller's own words.
func (m *Model) Announce(title, text string) {
	m.notify(Notification{Command: "POST /notification", Title: title, Text: text})
}

// Tell shows what the terminal itself has to say, with Portuguese words for those who have no page.
func (m *Model) Tell(o Own, title, text string) {
	m.notify(Notification{Title: title, Text: text, Own: &o})
}

func (m *Model) notify(n Notification) {
	n.Seen = n.Said() && m.Foreground.State().VisiblePages > 0
	m.change(func() {
		n.ID, n.At = operation.NewID(), time.Now()
		m.notifications = append(m.notifications, n)
		m.forgetOldest(n.Said())
	})
	if m.Notified != nil && !m.Foreground.HasPages() {
		m.Notified(n.Title, n.Text)
	}
}

// ForgetNotifications is for a terminal that is put as it was at first.
func (m *Model) ForgetNotifications() { m.change(func() { m.notifications = nil }) }

// forgetOldest keeps as many notifications of a kind as are kept: commands come often, and must not push out what was said.
func (m *Model) forgetOldest(said bool) {
	count, oldest := 0, -1
	for i, n := range m.notifications {
		if n.Said() == said {
			if count++; oldest < 0 {
				oldest = i
			}
		}
	}
	if count > keptNotifications {
		m.notifications = slices.Delete(m.notifications, oldest, oldest+1)
	}
}

// State is the model at one moment.
type State struct {
	Stack         []Shown // top last
	Closing       *Closing
	Notifications []Notification // newest first
}

// State returns what the model itself shows.
func (m *Model) State() State {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := State{Stack: slices.Clone(m.stack), Closing: m.closing, Notifications: slices.Clone(m.notifications)}
	slices.Reverse(s.Notifications)
	return s
}

// Close stops the timers.
func (m *Model) Close() { m.change(m.dropClosing) }
