package connection

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// CallersRefusal is written as the interface writes its errors.
func CallersRefusal(corsMethods string) func(int, string) []byte {
	return func(code int, message string) []byte {
		return refusal(code, map[string]any{"code": code, "message": message},
			"Access-Control-Allow-Origin: *\r\nAccess-Control-Allow-Methods: "+corsMethods+"\r\n")
	}
}

// ScreenRefusal is written as the screen writes its errors.
func ScreenRefusal(code int, message string) []byte {
	return refusal(code, map[string]any{"message": message}, "X-Content-Type-Options: nosniff\r\n")
}

func refusal(code int, body map[string]any, headers string) []byte {
	text, err := json.Marshal(body)
	if err != nil {
		panic(err) // an integer and a constant
	}
	return fmt.Appendf(nil, "HTTP/1.1 %d %s\r\nContent-Type: application/json; charset=utf-8\r\nContent-Length: %d\r\n%sConnection: close\r\n\r\n%s",
		code, http.StatusText(code), len(text), headers, text)
}
