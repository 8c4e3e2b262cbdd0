//go:build !race || everything

package httpapi_test

import (
	"bytes"
	"encoding/base64"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

const cardNumber = "4111111111111111"

// Secrets are looked for where a support technician would find them: in what the interface lists, in the archive,
// and in the raw files of the data folder.
func TestSecretsAreNeverLogged(t *testing.T) {
	t.Parallel()
	m := start(t, autopilot)
	credentials := base64.StdEncoding.EncodeToString([]byte(testUser + ":" + testPassword))
	wrong := base64.StdEncoding.EncodeToString([]byte("loja:quase-a-senha"))
	const marked = "MARCA-DA-IMAGEM-0123456789"
	mark := append(encodedAs(t, "png", halfBlack(20, 20)), marked...) // bytes behind the end are no matter to a PNG
	marked64 := base64.StdEncoding.EncodeToString([]byte(strings.Repeat(marked+"|", 3)))

	m.call("GET", "/info", nil, header{"Authorization", "Basic " + wrong})
	m.call("POST", "/sale", nil, header{"Authorization", "Bearer quase-a-senha"})
	m.call("GET", "/nowhere", nil)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"r","details":{"card":"`+cardNumber+`","spaced":"4111 1111 1111 1111"}}`).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":0.51,"details":{"card":"`+cardNumber+`"}}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"details":{"card":"`+cardNumber+`"}`) // malformed: its beginning is logged
	m.call("POST", "/transaction", `{"tPag":"`+cardNumber+`","amount":1}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":`+cardNumber+`}`)
	m.call("POST", "/transaction", `{"tPag":"03","amount":1,"referenceId":"`+cardNumber+`"}`).ok()
	m.call("GET", "/transaction/"+cardNumber, nil).ok()
	m.call("POST", "/transaction/"+cardNumber+"/reversal", nil).ok()
	m.call("GET", "/transaction/4111-1111-1111-1111", nil)
	m.call("GET", "/transaction/4111%201111%201111%201111", nil)
	for _, separator := range []string{".", "+", "%C2%A0"} { // as people write them, too
		m.call("GET", "/transaction/"+strings.Join([]string{"4111", "1111", "1111", "1111"}, separator), nil)
	}
	m.call("POST", "/sale", `{"customerName":"4111.1111.1111.1111`)
	m.call("POST", "/sale", "{\"customerName\":\"4111\u00a01111\u00a01111\u00a01111")
	m.call("GET", "/"+cardNumber, nil)
	m.call("DELETE", "/"+cardNumber+"?card="+cardNumber, nil)
	m.call("GET", "/transaction?since="+cardNumber, nil)
	m.call("GET", "/logs?search="+cardNumber, nil)
	m.call("GET", "/logs?level="+cardNumber, nil)
	m.call("POST", "/emulator/acquirer", `{"next":"refuse","message":"cartão `+cardNumber+` bloqueado"}`).ok()
	m.call("POST", "/transaction", `{"tPag":"03","amount":2}`)
	m.call("POST", "/sale/item/"+cardNumber+"/cancel", nil)
	m.call("POST", "/display/text", `{"content":[],"backgroundColor":"`+cardNumber+`"}`)
	m.call("POST", "/print/image", mark).ok()
	m.call("POST", "/print/image", []byte(strings.Repeat(marked, 10)))
	m.call("POST", "/print/text", []byte(strings.Repeat("\xff"+marked, 10)))
	m.call("POST", "/display/image", mark).ok()
	m.call("POST", "/display/image", []byte(strings.Repeat(marked, 10)))
	m.call("POST", "/display/carousel", `{"backgroundColor":"#fff","images":["`+marked64+`"]}`)
	m.call("POST", "/display/carousel", `{"backgroundColor":"#fff","images":["`+marked64+`"`) // malformed
	m.printXML(`<nfeProc><cartao>` + cardNumber + `</cartao></nfeProc>`)
	m.printXML(`<` + cardNumber + `/>`)
	// Where the logged beginning of a malformed body ends, a card number must not be cut into one that goes unseen.
	for cut := 5; cut < len(cardNumber); cut++ {
		m.call("POST", "/sale", `{"customerName":"`+strings.Repeat(" ", 1024-17-cut)+cardNumber)
		m.call("GET", "/"+strings.Repeat("x", 255-cut)+cardNumber, nil)
	}

	shown := append(m.call("GET", "/logs?limit=100000", nil).ok().body, strings.Join(m.unzipped(""), "\n")...)
	m.stop()
	raw, logs := map[string][]byte{}, map[string][]byte{"GET /logs and the archive": shown}
	err := filepath.WalkDir(m.config.Data, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw[path], err = os.ReadFile(path)
		if strings.HasPrefix(d.Name(), "logs") {
			logs[path] = raw[path]
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) < 2 {
		t.Fatalf("no log files among %d", len(raw))
	}
	absent := func(files map[string][]byte, secrets ...string) {
		t.Helper()
		for name, data := range files {
			for _, secret := range secrets {
				if i := bytes.Index(data, []byte(secret)); i >= 0 {
					t.Errorf("%s has %q: …%q…", filepath.Base(name), secret, data[max(0, i-60):min(len(data), i+len(secret)+20)])
				}
			}
		}
	}
	absent(raw, testPassword, credentials, wrong, "quase-a-senha", marked, marked64[:40])
	absent(logs, testPassword, credentials, wrong, "quase-a-senha", marked, marked64[:40], cardNumber, "4111 1111 1111 1111", "4111-1111-1111-1111",
		"4111%201111%201111%201111", "4111.1111.1111.1111", "4111+1111+1111+1111", "4111%C2%A01111%C2%A01111%C2%A01111", "4111\u00a01111\u00a01111\u00a01111", cardNumber[:12]) // even a part beyond the first six and last four is too much
}
