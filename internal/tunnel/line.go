package tunnel

import "strings"

// ReadLine takes apart the line that a hub shows, as people paste it or a scanner types it: maquininha join ADDRESS CODE --pin PIN. An
// address by itself is one, too: what a line lacks is empty.
func ReadLine(line string) Invitation {
	var i Invitation
	words := strings.Fields(line)
	for n, w := range words {
		if w == "join" {
			words = words[n+1:]
			break
		}
	}
	flags := map[string]*string{"--pin": &i.Pin, "--proxy": &i.Proxy}
	places := []*string{&i.Address, &i.Code}
	for len(words) > 0 {
		name, value, joined := strings.Cut(words[0], "=")
		to, flag := flags[name]
		switch {
		case flag && joined:
			*to = value
		case flag && len(words) > 1:
			words = words[1:]
			*to = words[0]
		case !flag && len(places) > 0:
			*places[0] = words[0]
			places = places[1:]
		case !flag:
			i.Code += words[0] // in groups, as the hub's page shows it
		}
		words = words[1:]
	}
	return i
}
