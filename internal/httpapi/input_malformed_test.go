//go:build !race || everything

package httpapi_test

import (
	"strings"
	"testing"
)

func TestInputMalformedJSON(t *testing.T) {
	t.Parallel()
	m := start(t)
	bodies := []string{
		`{`, `}`, `[`, `]`, `,`, `{]`, `[}`, `{"a"}`, `{"a":}`, `{"a":1,}`, `{"a":1 "b":2}`, `{,}`, `{a:1}`, `{'a':1}`, `{"a":undefined}`, `{5:1}`, `[1,]`, `[1 2]`, `nul`, `True`, `NaN`, `Infinity`,
		`-`, `01`, `1.`, `.5`, `+1`, `0x10`, `1e`, `--1`, `"aberto`, `"\x"`, `"\u12"`, "\"\n\"", `{"a":1}}`, `{} {}`, `{}x`, `[] []`, `[{}],`, `{} null`, "// nada\n{}", `/**/[]`, `<xml/>`, `code=1&total=2`,
		"\x00", "{}\x00", "[]\x00", "{\"a\":\"\xff\"}", "{\"\xc3\x28\":1}", "\xff\xfe{\x00}\x00", "\ufeff\ufeff{}", "[\xed\xa0\x80]",
		strings.Repeat("[", 100_000), strings.Repeat(`{"a":`, 100_000), strings.Repeat("[", 20_000) + strings.Repeat("]", 20_000), strings.Repeat(" ", 1000) + "{",
	}
	for _, e := range jsonEndpoints {
		other := `[]`
		if e.path == "/print/text" {
			other = `{}`
		}
		for _, body := range append(bodies, other, `5`, `"x"`, `true`, `-1.5e3`) {
			m.call(e.method, e.path, body).blames("")
		}
		for _, cut := range []int{1, len(e.sound) - 1} {
			m.call(e.method, e.path, e.sound[:cut]).blames("")
		}
	}
	m.alive()
}
