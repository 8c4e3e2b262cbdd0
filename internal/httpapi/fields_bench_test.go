package httpapi

import "testing"

// BenchmarkReadItem is what POST /sale/item pays for its body, from bytes to fields.
func BenchmarkReadItem(b *testing.B) {
	body := []byte(`{"id":"1","code":"7891000100103","description":"Café torrado","quantity":2,"unitPrice":18.90,"discount":0,"total":37.80}`)
	in := &boundedBody{over: true}
	b.ReportAllocs()
	for b.Loop() {
		value, _, err := parseBody(body, nil)
		if err != nil {
			b.Fatal(err)
		}
		f := newFields(value.(object), in)
		var id string
		f.textOr("id", &id, "", longestLabel)
		if readItem(f); f.err() != nil {
			b.Fatal(f.err())
		}
		in.finish()
	}
}
