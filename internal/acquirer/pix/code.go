package pix

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/remote"
	"github.com/maquininha/maquininha/internal/brazil"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// Why there is no code to show.
var (
	errNoCode    = errors.New("the PSP told no code")
	errWrongCode = errors.New("the PSP's code is not that of the charge")
)

// codeOf is the code of a charge, checked: as the PSP told it, else as another call tells it, else made of where the
// charge lies.
func (a *Acquirer) codeOf(ctx context.Context, t payment.Transaction, c charge) (string, error) {
	code := c.brCode
	if code == "" && a.config.CodeCall != NoCall {
		code, _ = a.askCode(ctx, t, c) // without it there may be a location
	}
	if code == "" && c.location == "" {
		if again, err := a.see(ctx, t); err == nil { // some tell it only when asked again
			c = again
			code = c.brCode
		}
	}
	if code == "" && c.location != "" {
		made, err := brazil.DynamicPIX{
			Merchant: brazil.Merchant{Name: a.config.Shop, City: a.config.City}, Location: c.location, Amount: t.Request.Amount.Cents(),
		}.BRCode()
		if err != nil {
			return "", fmt.Errorf("%w: %w", errNoCode, err)
		}
		code = made
	}
	if code == "" {
		return "", errNoCode
	}
	return code, checkCode(code, t.Request.Amount)
}

// checkCode keeps a code from the screen that no bank could read, or that asks for another sum.
func checkCode(code string, amount money.Decimal) error {
	if !isBRCode(code) {
		return errWrongCode
	}
	_, told, err := brazil.ReadDynamicPIX(code)
	if err != nil {
		return fmt.Errorf("%w: %w", errWrongCode, err)
	}
	if told == "" {
		return nil // the charge has it
	}
	sum, err := money.Parse(told)
	if err != nil || sum.Cmp(amount) != 0 {
		return fmt.Errorf("%w: it asks for %s", errWrongCode, remote.Tidy(told))
	}
	return nil
}

// askCode makes the call that tells the code of a charge.
func (a *Acquirer) askCode(ctx context.Context, t payment.Transaction, c charge) (string, error) {
	if strings.Contains(a.config.CodeCall, "{loc}") && c.loc == "" {
		return "", errNoCode
	}
	path := strings.NewReplacer("{txid}", a.TxID(t), "{loc}", c.loc).Replace(a.config.CodeCall)
	raw, err := a.client.call(ctx, http.MethodGet, path, nil)
	if err != nil {
		return "", err
	}
	var j struct {
		codeJSON
		QRCode    string `json:"qrcode"`
		CopiaCola string `json:"copiaCola"` // in base64
	}
	if err := json.Unmarshal(raw, &j); err != nil {
		return "", fmt.Errorf("reading the code: %w", err)
	}
	if code := j.code(); code != "" {
		return code, nil
	}
	if plain, err := base64.StdEncoding.DecodeString(j.CopiaCola); err == nil && len(plain) > 0 {
		return string(plain), nil
	}
	return j.QRCode, nil
}

// codeJSON are the names that banks have for the code.
type codeJSON struct {
	PixCopiaECola     string `json:"pixCopiaECola"`
	BRCode            string `json:"brcode"`
	TextoImagemQRCode string `json:"textoImagemQRcode"`
	EMV               string `json:"emv"`
}

func (j codeJSON) code() string {
	for _, code := range []string{j.PixCopiaECola, j.BRCode, j.TextoImagemQRCode, j.EMV} {
		if code != "" {
			return code
		}
	}
	return ""
}

func isBRCode(s string) bool {
	const most = 512
	return strings.HasPrefix(s, "000201") && len(s) <= most && !strings.ContainsFunc(s, func(r rune) bool { return r < ' ' || r > '~' })
}
