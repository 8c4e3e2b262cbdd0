package daemon

import (
	"slices"
	"testing"
)

func TestListed(t *testing.T) {
	for text, want := range map[string][]string{
		"": nil, "/a": {"/a"}, "/a -/b:/c": {"/a", "-/b:/c"}, `"/srv/hub 1%"`: {"/srv/hub 1%"}, `/a "/b \"c\" \\d" /e`: {"/a", `/b "c" \d`, "/e"}, `"/open`: {"/open"},
	} {
		if got := listed(text); !slices.Equal(got, want) {
			t.Errorf("%s: %q, want %q", text, got, want)
		}
	}
}

// A strict unit lets its service write to its state, and to what somebody has named.
func TestStrictSandbox(t *testing.T) {
	a := &Access{unit: map[string]string{"ProtectSystem": "strict", "StateDirectory": "maquininha-hub", "ReadWritePaths": `"/srv/hub 1"`}}
	for path, fine := range map[string]bool{"/var/lib/maquininha-hub": true, "/srv/hub 1": true, "/srv/hub 1/x": true, "/srv/hub": false, "/opt": false} {
		if err := a.sandbox(path, true); (err == nil) != fine {
			t.Errorf("%s: %v", path, err)
		}
		if err := a.sandbox(path, false); err != nil {
			t.Errorf("%s can't be read: %v", path, err)
		}
	}
}
