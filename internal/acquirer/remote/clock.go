package remote

import (
	"net/http"
	"time"
)

// Clock hears what time it is at the other side.
type Clock struct {
	Now time.Time // when it answered last, by its own clock; zero: it does not say
}

// Listen has the clock hear every answer that comes over the network. It is for one request at a time.
func (c *Clock) Listen(n Network) Network {
	before := n.Wrap
	n.Wrap = func(next http.RoundTripper) http.RoundTripper {
		if before != nil {
			next = before(next)
		}
		return hearing{next, c}
	}
	return n
}

type hearing struct {
	next  http.RoundTripper
	clock *Clock
}

func (h hearing) RoundTrip(r *http.Request) (*http.Response, error) {
	res, err := h.next.RoundTrip(r)
	if err == nil {
		h.clock.Now, _ = http.ParseTime(res.Header.Get("Date")) // zero: it says none
	}
	return res, err
}
