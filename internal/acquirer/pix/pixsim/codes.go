package pixsim

import (
	"cmp"
	"encoding/base64"
	"net/http"
	"slices"
	"strconv"
	"strings"
)

// codeScope is what a token has to open for the call that tells a code.
func (m Manner) codeScope() string {
	if len(m.Asks[0].Scopes) > 0 && slices.Contains(m.Asks[0].Scopes, "qrcode.read") {
		return "qrcode.read"
	}
	return "cob.read"
}

// tellCode is the call of banks that tell codes apart from charges, by txid or by the number of a location.
func (b *Bank) tellCode(r *request) reply {
	var c *cob
	if strings.Contains(b.manner.Code.Call, "{loc}") {
		if n, err := strconv.Atoi(r.path[0]); err == nil && n >= 1 && n <= len(b.order) {
			c = b.order[n-1]
		}
	} else {
		c = b.charges[r.path[0]]
	}
	if c == nil {
		return b.problem(http.StatusNotFound, "CobNaoEncontrado", "não há cobrança aqui")
	}
	code := c.created.BRCode
	if b.manner.Code.Base64 {
		code = base64.StdEncoding.EncodeToString([]byte(code))
	}
	return reply{Status: http.StatusOK, Body: map[string]any{b.manner.Code.Member: code}}
}

// createWithCode is Bradesco's call, whose answer has the code beside the charge.
func (b *Bank) createWithCode(r *request) reply {
	answer := b.createCharge(r)
	if answer.Status >= http.StatusBadRequest {
		return answer
	}
	answer.Body = map[string]any{"cob": answer.Body, "emv": b.charges[r.path[0]].created.BRCode, "base64": ""}
	return answer
}

// addCode puts the code where this bank tells it, if it does.
func (b *Bank) addCode(j map[string]any, c *cob, member string) {
	if !b.manner.Code.Absent {
		j[cmp.Or(member, "pixCopiaECola")] = c.created.BRCode
	}
}
