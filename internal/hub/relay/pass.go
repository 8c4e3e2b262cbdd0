package relay

import (
	"net/http"
	"net/http/httputil"
)

// Pass sends on what another hub has prepared for a terminal that hangs here: the request as it is, and the answer as it comes. failed
// answers where the terminal did not.
func Pass(w http.ResponseWriter, r *http.Request, over http.RoundTripper, failed func(http.ResponseWriter, error)) {
	body := &heardBody{ReadCloser: r.Body}
	if r.Body != nil && r.Body != http.NoBody {
		r = r.WithContext(r.Context())
		r.Body = body
	}
	proxy := httputil.ReverseProxy{
		Transport: answering{over, body}, BufferPool: buffers, ErrorLog: silent,
		Rewrite: func(p *httputil.ProxyRequest) {
			address(p.Out.URL, p.In.URL.EscapedPath(), p.In.URL.RawQuery)
			p.Out.Host = p.In.Host
		},
		ErrorHandler: func(w http.ResponseWriter, r *http.Request, err error) {
			if r.Context().Err() != nil || body.broke.Load() {
				panic(http.ErrAbortHandler) // the other hub knows why
			}
			failed(w, err)
		},
	}
	proxy.ServeHTTP(streamWriter{ResponseWriter: w}, r)
}
