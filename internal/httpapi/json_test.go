//go:build !race || everything

package httpapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

// library is what the standard library makes of a text.
func library(text string) (any, error) {
	dec := json.NewDecoder(strings.NewReader(text))
	dec.UseNumber()
	var v any
	if err := dec.Decode(&v); err != nil {
		return nil, err
	}
	if _, err := dec.Token(); err != io.EOF {
		return nil, io.ErrUnexpectedEOF
	}
	return v, nil
}

// asLibrary turns our form of a value into the library's.
func asLibrary(v any) any {
	switch v := v.(type) {
	case object:
		m := map[string]any{}
		for _, f := range v {
			m[f.name] = asLibrary(f.value)
		}
		return m
	case []any:
		a := make([]any, len(v))
		for i := range v {
			a[i] = asLibrary(v[i])
		}
		return a
	}
	return v
}

func FuzzJSONAgreesWithTheLibrary(f *testing.F) {
	for _, seed := range []string{
		`{"id":"1","quantity":2.50,"nested":{"a":[1,-0.5e-3,true,false,null,""]}}`, `"\u00e7\ud83d\ude00\ud800x\n\"\\\/"`, `"\ud800\u0041"`, `"\ud83d\ud83d\ude00"`,
		`[]`, `{}`, ` [ 1 , 2 ] `, `{"a":1,"a":2}`, `01`, `1.`, `.5`, `-`, `1e`, `tru`, `nul`, `"`, `"\x"`, `"\u12"`, "\"\t\"", `[1,]`, `{"a"}`, `{"a":}`, `{,}`, `1 2`, ``,
		`{"é":"ção"}`, `1E+2`, `-0`, "\u00a01", `"\u0000"`,
	} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if !utf8.ValidString(text) || strings.Count(text, "[")+strings.Count(text, "{") >= maxDepth {
			return // refused before, or on purpose
		}
		got, err := parseJSON(text, nil)
		if errors.Is(err, errHalfPair) {
			return // the library takes one for U+FFFD
		}
		want, wantErr := library(text)
		if (err == nil) != (wantErr == nil) {
			t.Fatalf("%q: %v, the library says %v", text, err, wantErr)
		}
		if err == nil {
			if diff := cmp.Diff(want, asLibrary(got)); diff != "" {
				t.Fatalf("%q (-library +ours):\n%s", text, diff)
			}
		}
	})
}

func TestJSONKeepsTheText(t *testing.T) {
	v, err := parseJSON(`{"details": {"b": 1.50, "a": [ 2 ]} , "x": null}`, nil)
	if err != nil {
		t.Fatal(err)
	}
	if m := v.(object)[0]; m.raw != `{"b": 1.50, "a": [ 2 ]}` {
		t.Errorf("raw %q", m.raw)
	}
}

func TestJSONDepthIsBounded(t *testing.T) {
	if _, err := parseJSON(strings.Repeat("[", maxDepth)+strings.Repeat("]", maxDepth), nil); err != nil {
		t.Errorf("%d deep: %v", maxDepth, err)
	}
	for _, deep := range []int{maxDepth + 1, 1_000_000} {
		if _, err := parseJSON(strings.Repeat("[", deep), nil); !errors.Is(err, errTooDeep) {
			t.Errorf("%d deep: %v", deep, err)
		}
	}
}

func TestJSONHalfPairs(t *testing.T) {
	for text, want := range map[string]error{
		`"\ud83d\ude00"`: nil, `"\uD83D\uDE00"`: nil, `"\ufffd"`: nil, `"\ud7ff\ue000"`: nil,
		`"\ud800"`: errHalfPair, `"\udfff"`: errHalfPair, `"\ud83dx"`: errHalfPair, `"\ud83d\n"`: errHalfPair, `"\ud83d\u0041"`: errHalfPair,
		`"\ude00\ud83d"`: errHalfPair, `"\ud83d\ud83d\ude00"`: errHalfPair, `{"\ud800":1}`: errHalfPair, `[{"a":["\udbff"]}]`: errHalfPair,
	} {
		if _, err := parseJSON(text, nil); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", text, err, want)
		}
	}
}

func TestJSONErrorSaysWhere(t *testing.T) {
	_, err := parseJSON(`{"a": 1, "b": ?}`, nil)
	if e, ok := err.(*syntaxError); !ok || e.offset != 14 {
		t.Errorf("%#v", err)
	}
}

func BenchmarkParseJSON(b *testing.B) {
	item := []byte(`{"id":"1","code":"7891000100103","description":"Café torrado","quantity":2,"unitPrice":18.90,"discount":0,"total":37.80}`)
	b.Run("ours", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			if _, err := parseJSON(string(item), nil); err != nil {
				b.Fatal(err)
			}
		}
	})
	b.Run("library", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			dec := json.NewDecoder(bytes.NewReader(item))
			dec.UseNumber()
			var v any
			if err := dec.Decode(&v); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// However few bytes a value takes in the text, what they become in memory has an end.
func TestManySmallValues(t *testing.T) {
	for _, piece := range []string{`{},`, `[],`, `0,`, `"",`, `{"":0},`, `{"a":{}},`, `[[]],`} {
		text := "[" + strings.Repeat(piece, 3<<20/len(piece)) + "0]"
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := parseJSON(text, nil)
		runtime.ReadMemStats(&after)
		if !errors.Is(err, errTooMany) {
			t.Errorf("%s: %v", piece, err)
		}
		if took := after.TotalAlloc - before.TotalAlloc; took > 40<<20 {
			t.Errorf("%s: %d MiB for 3 MiB of text", piece, took>>20)
		}
	}
	if _, err := parseJSON("["+strings.Repeat("0,", maxValues-2)+"0]", nil); err != nil {
		t.Errorf("as many as may be: %v", err)
	}
}
