package httpapi

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/binary"
	"strings"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// serials hide how far the board has counted: what happens at all customers counts there, and nobody is to see how busy others are. For the same
// reason only changes of terminals that the caller sees are shown: any other would tell that something has happened elsewhere. To each place
// a serial is another number, which only this run of the hub can read; that of another run, or hub, is read as one that has not been yet.
type serials struct{ key []byte }

func newSerials() serials {
	key := make([]byte, sha256.Size)
	rand.Read(key) //nolint:errcheck // it never fails
	return serials{key}
}

const (
	halfBits = 26 // of a number that JavaScript keeps exactly
	halfMask = 1<<halfBits - 1
	rounds   = 4 // as many as make it a permutation nobody can tell from a random one
)

func (s serials) show(p fleet.Place, serial uint64) uint64 {
	left, right := serial>>halfBits&halfMask, serial&halfMask
	for round := range rounds {
		left, right = right, left^s.mix(p, round, right)
	}
	return left<<halfBits | right
}

func (s serials) read(p fleet.Place, shown uint64) uint64 {
	left, right := shown>>halfBits&halfMask, shown&halfMask
	for round := range rounds {
		left, right = right^s.mix(p, rounds-1-round, left), left
	}
	return left<<halfBits | right
}

func (s serials) mix(p fleet.Place, round int, half uint64) uint64 {
	mac := hmac.New(sha256.New, s.key)
	mac.Write([]byte(strings.Join([]string{p.Account, p.Tenant, p.Shop}, "\x00")))
	mac.Write(binary.BigEndian.AppendUint64([]byte{0, byte(round)}, half))
	return binary.BigEndian.Uint64(mac.Sum(nil)) & halfMask
}
