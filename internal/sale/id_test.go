package sale

import (
	"testing"
	"time"

	"github.com/google/uuid"
)

func TestNewIDIsAUUIDv7(t *testing.T) {
	seen := map[string]bool{}
	for range 10_000 {
		text := newID()
		id, err := uuid.Parse(text)
		if err != nil || id.Version() != 7 || id.Variant() != uuid.RFC4122 || seen[text] {
			t.Fatalf("%s: %v, version %d, variant %v, seen %v", text, err, id.Version(), id.Variant(), seen[text])
		}
		seen[text] = true
		seconds, nanoseconds := id.Time().UnixTime()
		if age := time.Since(time.Unix(seconds, nanoseconds)); age < -time.Second || age > time.Hour {
			t.Fatalf("%s is %v old", text, age)
		}
	}
}
