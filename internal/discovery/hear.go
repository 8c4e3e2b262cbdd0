package discovery

import (
	"net"
	"slices"
	"strings"
	"time"
)

// hear answers who asks, and gives way to who has the name. Only neighbours are heard.
func (v *voice) hear(p packet) {
	near := slices.DeleteFunc(slices.Clone(v.links), func(l link) bool { return !l.has(p.from.Addr()) })
	if len(near) == 0 {
		return
	}
	if h, ok := readAnswer(p.bytes); ok {
		other, rival := h.instances[strings.ToLower(v.notice.instance)]
		if rival && other.host != v.host {
			v.yield(other.host)
		}
		return
	}
	q, ok := readQuery(p.bytes)
	switch {
	case !ok || !v.ours || !q.concerns(v.notice):
	case p.from.Port() != uint16(group.Port):
		// One who does not share the port hears only what is sent to him.
		if !v.replies.take() {
			return
		}
		if reply, err := v.notice.reply(q, near[0].addresses()); err == nil {
			_, _ = v.conn.WriteTo(reply, nil, net.UDPAddrFromAddrPort(p.from)) // he may be gone
		}
	default:
		v.answerIn(near)
	}
}

// answerIn tells everybody in some networks soon, and those that ask until then with it.
func (v *voice) answerIn(networks []link) {
	if v.answerTo == nil {
		v.answer.Reset(max(chance(answerSoonest, answerLatest), answerPause-time.Since(v.spoke)))
	}
	for _, l := range networks {
		if !slices.ContainsFunc(v.answerTo, l.same) {
			v.answerTo = append(v.answerTo, l)
		}
	}
}

// yield takes another name where somebody else has ours. Of two who took it in the same moment, one stays.
func (v *voice) yield(rival string) {
	if v.ours && v.host < rival {
		v.answerIn(v.links)
		return
	}
	if v.attempt < mostNames {
		v.attempt++
		v.begin()
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
