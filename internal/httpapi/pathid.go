package httpapi

import (
	"net/http"
	"net/url"
	"strings"
)

// Ids in paths may be any string, but the mux takes a segment that is just "/" for the end of a path. Such a
// segment travels through it with a NUL in front; so that no id can be mistaken for one, ids that are NULs and a
// slash get one more as well.

// markLoneSlash prepares the path for the mux.
func markLoneSlash(r *http.Request) *http.Request {
	path := r.URL.EscapedPath()
	if !strings.Contains(path, "%2F") && !strings.Contains(path, "%2f") {
		return r
	}
	segments := strings.Split(path, "/")
	marked := false
	for i, s := range segments {
		if slashAfterNULs(s) {
			segments[i], marked = "%00"+s, true
		}
	}
	if !marked {
		return r
	}
	path = strings.Join(segments, "/")
	decoded, err := url.PathUnescape(path)
	if err != nil {
		return r // the server has parsed the path before
	}
	u := *r.URL
	u.RawPath, u.Path = path, decoded
	clone := *r
	clone.URL = &u
	return &clone
}

func slashAfterNULs(segment string) bool {
	id, err := url.PathUnescape(segment)
	return err == nil && len(segment) > 1 && strings.TrimLeft(id, "\x00") == "/"
}

// pathID is an id in the path.
func pathID(r *http.Request, name string) string {
	id := r.PathValue(name)
	if strings.HasPrefix(id, "\x00") && strings.TrimLeft(id, "\x00") == "/" {
		return id[1:]
	}
	return id
}
