//go:build unix

package app_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"testing"
)

// lines is what a sale holds, by kind and id.
type lines map[string]string

var (
	shownPassword = regexp.MustCompile(`(?m)^ *Senha +(\S+) +\((?:gerada agora: )?anote`)
	shownUser     = regexp.MustCompile(`(?m)^ *Usuário +(\S+)`)
)

func itemBody(id, total string) string {
	return fmt.Sprintf(`{"id":%q,"code":"789","description":"pão","quantity":1,"unitPrice":1,"total":%s}`, id, total)
}

func linesOf(s saleAnswer) lines {
	l := lines{}
	for _, i := range s.Items {
		l["item "+i.ID] = fmt.Sprint(i.Total, " ", i.Canceled)
	}
	for _, p := range s.Payments {
		l["payment "+p.ID] = p.Value.String()
	}
	for _, d := range s.Discounts {
		l["discount "+d.ID] = d.Value.String()
	}
	for _, a := range s.Additions {
		l["addition "+a.ID] = a.Value.String()
	}
	if s.Sale.AdditionalInfo != nil {
		l["info"] = *s.Sale.AdditionalInfo
	}
	return l
}

type saleAnswer struct {
	Sale struct {
		AdditionalInfo *string
	}
	Items []struct {
		ID       string
		Canceled bool
		Total    json.Number
	}
	Payments, Discounts, Additions []struct {
		ID    string
		Value json.Number
	}
}

func allowed(t *testing.T, c caller, want bool) {
	t.Helper()
	status, _ := c.call(t, "GET", "/status", "")
	if (status == http.StatusOK) != want || (status == http.StatusUnauthorized) == want {
		t.Errorf("%s gets %d, allowed should be %v", c.user, status, want)
	}
}

// credentialsIn reads what a person would read.
func credentialsIn(t *testing.T, text string) (user, password string) {
	t.Helper()
	u, p := shownUser.FindStringSubmatch(text), shownPassword.FindStringSubmatch(text)
	if u == nil || p == nil {
		t.Fatalf("no credentials in:\n%s", text)
	}
	return u[1], p[1]
}

// nowhere checks that no file of the folder holds the secret, and that all are the user's own.
func nowhere(t *testing.T, dir, secret string) {
	t.Helper()
	files := 0
	must(t, filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode())
		}
		if d.IsDir() {
			return nil
		}
		files++
		content, err := os.ReadFile(path)
		if bytes.Contains(content, []byte(secret)) {
			t.Errorf("%s holds the password", path)
		}
		return err
	}))
	if files < 3 {
		t.Errorf("only %d files in %s: is that the data folder?", files, dir)
	}
}
