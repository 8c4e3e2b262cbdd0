package winetest_test

import (
	"bytes"
	"encoding/binary"
	"os"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/maquininha/maquininha/internal/version"
	"github.com/maquininha/maquininha/internal/waittest"
)

const (
	installed   = `C:\Program Files\Maquininha`
	uninstaller = installed + `\desinstalar.exe`
	startUp     = `C:\ProgramData\Microsoft\Windows\Start Menu\Programs\StartUp\Maquininha.lnk`
	desktop     = `C:\users\Public\Desktop\Maquininha.url`
	shopData    = accented + `\dados do caixa`
)

// install runs the installer silently, as the guide shows it.
func (s *shop) install(code int, more ...string) {
	s.t.Helper()
	said, got := s.Run(s.Prepared("instalador.exe"), append([]string{"/S", "/DADOS=" + shopData, "/INIT=" + s.flags()}, more...)...)
	if got != code {
		s.t.Fatalf("the installer ended with %d, want %d: %s\n%s", got, code, said, s.log())
	}
	s.program = installed + `\maquininha.exe`
}

// log is what the installer has noted, in UTF-16.
func (s *shop) log() string {
	raw, err := os.ReadFile(s.Path(installed + `\instalacao.log`))
	if err != nil {
		return err.Error()
	}
	words := make([]uint16, len(raw)/2)
	if err := binary.Read(bytes.NewReader(raw), binary.LittleEndian, words); err != nil {
		return err.Error()
	}
	return string(utf16.Decode(words))
}

// uninstall runs the uninstaller, which goes on from a copy of itself.
func (s *shop) uninstall(more ...string) {
	s.t.Helper()
	s.Run(uninstaller, append([]string{"/S"}, more...)...)
	waittest.Until(s.t, "it is uninstalled", func() bool { return !s.There(installed) })
}

func (s *shop) place() []string {
	return []string{"--config", shopData + `\maquininha.toml`, "--data", shopData}
}

func TestInstaller(t *testing.T) {
	s := newShop(t)
	s.install(0, "/FIREWALL=9050", "/TELACHEIA=sim")
	s.Says(0, "no ar desde", s.program, "service", "status")
	for _, file := range []string{shopData + `\maquininha.db`, installed + `\quiosque.cmd`, installed + `\LEIA-ME.txt`, desktop, startUp, uninstaller} {
		if !s.There(file) {
			t.Errorf("no %s", file)
		}
	}
	// Wine has no firewall: what would be opened is all that can be seen.
	for _, want := range []string{"localport=9050 profile=private,domain", "Serviço no ar."} {
		if log := s.log(); !strings.Contains(log, want) || strings.Contains(log, "Senha") {
			t.Errorf("want %q and no password in\n%s", want, log)
		}
	}
	s.learnPassword(s.place()...)
	s.ring()

	// The data stay unless somebody says otherwise, and the next installation finds them.
	s.uninstall()
	for _, file := range []string{desktop, startUp, installed} {
		if s.There(file) {
			t.Errorf("%s is still there", file)
		}
	}
	if status, _ := s.ask("GET", "/status", ""); status != 0 {
		t.Errorf("something still answers: %d", status)
	}
	s.install(0, "/ATALHO=nao")
	if s.There(desktop) || s.There(startUp) {
		t.Error("what nobody asked for is there")
	}
	if sale := s.ok("GET", "/sale", ""); !strings.Contains(sale, "Pão de açúcar") {
		t.Errorf("the sale is %s", sale)
	}
	s.uninstall("/DADOS=apagar")
	if s.There(shopData) {
		t.Error("the data are still there")
	}
}

func TestInstallerRefusesWhatInitRefuses(t *testing.T) {
	s := newShop(t)
	said, code := s.Run(s.Prepared("instalador.exe"), "/S", "/INIT=--printer nada://x")
	if code != 2 || !strings.Contains(s.log(), "--printer") {
		t.Errorf("exit code %d: %s\n%s", code, said, s.log())
	}
	if s.There(installed+`\maquininha.exe`) || s.There(`C:\ProgramData\maquininha\maquininha.toml`) {
		t.Error("something was left behind")
	}
}

// over runs an installer over what is there.
func (s *shop) over(code int, installer string) {
	s.t.Helper()
	if said, got := s.Run(s.Prepared(installer), "/S"); got != code {
		s.t.Fatalf("%s ended with %d, want %d: %s\n%s", installer, got, code, said, s.log())
	}
}

// isVersion wants one of them to be there, to be what Windows lists, and to serve the sale that was rung up.
func (s *shop) isVersion(number string) {
	s.t.Helper()
	s.Says(0, "maquininha "+number, s.program, "version")
	s.Says(0, number, "reg", "query", `HKLM\Software\Microsoft\Windows\CurrentVersion\Uninstall\Maquininha`, "/v", "DisplayVersion", "/reg:64")
	if sale := s.ok("GET", "/sale", ""); !strings.Contains(sale, "Pão de açúcar") {
		s.t.Errorf("with %s the sale is %s", number, sale)
	}
	for _, other := range []string{`\maquininha-anterior.exe`, `\maquininha-recusada.exe`} {
		if s.There(installed + other) {
			s.t.Errorf("%s is left over", other)
		}
	}
}

// next is the version that make windows has made an installer of besides this one.
const next = "99.0.0"

// A newer version goes over an installation with a sale and a payment that nobody has ended, and this one over the newer: nothing is lost.
func TestInstallerUpgrades(t *testing.T) {
	s := newShop(t)
	s.install(0)
	s.learnPassword(s.place()...)
	s.ring()
	s.isVersion(version.Number)
	answered := s.pay("ABERTO-1")
	s.over(0, "instalador-next.exe")
	if answer := <-answered; !strings.Contains(answer, `"message"`) {
		t.Errorf("the open payment was answered with %q", answer)
	}
	s.isVersion(next)
	s.over(0, "instalador.exe")
	s.isVersion(version.Number)
	if all := s.transactions(); len(all) != 1 || all[0].Details.ReferenceID != "ABERTO-1" || all[0].Details.Status != "cancelled" {
		t.Errorf("the transactions are %+v", all)
	}

	// Data of a newer version: the program says so, does not start, and writes nothing.
	s.Says(0, "parado", s.program, "service", "stop")
	database := s.Path(shopData + `\maquininha.db`)
	content, err := os.ReadFile(database)
	must(t, err)
	const schema = 60 // where SQLite's header has the number that the program counts its schemas by
	binary.BigEndian.PutUint32(content[schema:], 999)
	must(t, os.WriteFile(database, content, 0o600))
	s.Says(1, "não iniciou", s.program, "service", "start")
	if said := s.Says(1, "versão mais nova", s.program, append([]string{"transactions"}, s.place()...)...); said == "" {
		t.Error("it says nothing")
	}
	after, err := os.ReadFile(database)
	must(t, err)
	if !bytes.Equal(after, content) {
		t.Error("the data of a newer version were touched")
	}
}

// A version that does not start leaves the one before in its place, and says when that one does not start either.
func TestInstallerTakesBack(t *testing.T) {
	s := newShop(t)
	// Only the other version knows it. Services are told at the next start.
	s.Says(0, "", "reg", "add", `HKLM\System\CurrentControlSet\Control\Session Manager\Environment`, "/v", "MAQUININHA_CRASH_AT", "/d", "start")
	s.SwitchOff()
	s.SwitchOn()
	s.install(0)
	s.learnPassword(s.place()...)
	s.ring()
	s.over(2, "instalador-mortal.exe")
	if log := s.log(); !strings.Contains(log, "A versão nova não iniciou; a anterior voltou ao lugar") {
		t.Error(log)
	}
	s.isVersion(version.Number)

	settings, err := os.OpenFile(s.Path(shopData+`\maquininha.toml`), os.O_WRONLY|os.O_APPEND, 0)
	must(t, err)
	_, err = settings.WriteString("\nnobody knows this\n")
	must(t, err, settings.Close())
	s.over(2, "instalador-next.exe")
	if log := s.log(); !strings.Contains(log, "também não") {
		t.Error(log)
	}
	s.Says(0, "maquininha "+version.Number, s.program, "version")
}
