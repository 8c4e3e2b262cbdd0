//go:build !windows

package syserror

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

func TestReason(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "arquivo")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, missing := os.Open(filepath.Join(dir, "nada", "x"))
	_, folder := os.ReadFile(dir)
	for want, err := range map[string]error{
		"o caminho não existe": missing, "uma parte do caminho não é uma pasta": os.MkdirAll(filepath.Join(file, "x"), 0o700), "é uma pasta": folder,
		"programa não encontrado": exec.Command("maquininha-nao-ha").Run(), "outro": errors.New("outro"),
	} {
		if err == nil || Reason(err).Error() != want {
			t.Errorf("%v: %v, want %s", err, Reason(err), want)
		}
	}
}
