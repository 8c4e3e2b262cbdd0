package sale

import (
	"encoding/binary"
	"encoding/hex"
	"math/rand/v2"
	"time"
)

// newID makes a UUIDv7: the time in milliseconds, then chance. It need not be secret, only differ, so it does not
// ask the system for randomness at every item.
func newID() string {
	var id [16]byte
	binary.BigEndian.PutUint64(id[:8], uint64(time.Now().UnixMilli())<<16|uint64(rand.Uint32N(1<<12))|7<<12)
	binary.BigEndian.PutUint64(id[8:], rand.Uint64()>>2|2<<62)
	var text [36]byte
	hex.Encode(text[0:8], id[0:4])
	hex.Encode(text[9:13], id[4:6])
	hex.Encode(text[14:18], id[6:8])
	hex.Encode(text[19:23], id[8:10])
	hex.Encode(text[24:36], id[10:16])
	text[8], text[13], text[18], text[23] = '-', '-', '-', '-'
	return string(text[:])
}
