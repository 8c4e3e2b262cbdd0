package discovery

import (
	"net"
	"slices"
	"strings"
	"time"
)

// receive answers questions, and gives way to who has the name. Packets from outside the networks are ignored.
func (r *responder) receive(p packet) {
	near := slices.DeleteFunc(slices.Clone(r.links), func(l link) bool { return !l.has(p.from.Addr()) })
	if len(near) == 0 {
		return
	}
	if h, ok := readAnswer(p.bytes); ok {
		other, rival := h.instances[strings.ToLower(r.notice.instance)]
		if rival && other.host != r.host {
			r.yield(other.host)
		}
		return
	}
	q, ok := readQuery(p.bytes)
	switch {
	case !ok || !r.ours || !q.concerns(r.notice):
	case p.from.Port() != uint16(group.Port):
		// One who does not share the port hears only what is sent to him.
		if !r.replies.take() {
			return
		}
		if reply, err := r.notice.reply(q, near[0].addresses()); err == nil {
			_, _ = r.conn.WriteTo(reply, nil, net.UDPAddrFromAddrPort(p.from)) // he may be gone
		}
	default:
		r.answerIn(near)
	}
}

// answerIn tells everybody in some networks soon, and those that ask until then with it.
func (r *responder) answerIn(networks []link) {
	if r.answerTo == nil {
		r.answer.Reset(max(chance(answerSoonest, answerLatest), answerPause-time.Since(r.spoke)))
	}
	for _, l := range networks {
		if !slices.ContainsFunc(r.answerTo, l.same) {
			r.answerTo = append(r.answerTo, l)
		}
	}
}

// yield takes another name where somebody else has ours. Of two who took it in the same moment, one stays.
func (r *responder) yield(rival string) {
	if r.ours && r.host < rival {
		r.answerIn(r.links)
		return
	}
	if r.attempt < mostNames {
		r.attempt++
		r.begin()
	}
}

const (
	repliesAtOnce  = 20
	repliesASecond = 20
	betweenReplies = time.Second / repliesASecond
)

// allowance bounds replies, which are six times as long as a question, to whoever a sender claims to be: a terminal must
// not be the one who floods a neighbour. Who asked in vain asks again. The zero value is full.
type allowance struct{ used time.Time } // until when, at the pace of one after the other

func (a *allowance) take() bool {
	now := time.Now()
	if a.used.Before(now) {
		a.used = now
	}
	if a.used.Sub(now) > (repliesAtOnce-1)*betweenReplies {
		return false
	}
	a.used = a.used.Add(betweenReplies)
	return true
}
