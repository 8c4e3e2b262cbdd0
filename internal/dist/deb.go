package main

import (
	"crypto/md5" //nolint:gosec // dpkg's own sums, against accidents only
	"embed"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/maquininha/maquininha/internal/daemon"
)

//go:embed files
var files embed.FS

// text is one of the files that packages bring.
func text(name string) []byte {
	content, err := files.ReadFile("files/" + name)
	if err != nil {
		panic(err) // it is compiled in
	}
	return content
}

// writeDeb writes the package of an architecture.
func (r release) writeDeb(out, architecture string, binary, config []byte) error {
	deb, err := r.deb(architecture, binary, config)
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(out, fmt.Sprintf("maquininha_%s-%s_%s.deb", r.Version, r.Build, architecture)), deb, 0o644)
}

// deb is a binary package, version 2.0: what it is and its scripts, then its files.
func (r release) deb(architecture string, binary, config []byte) ([]byte, error) {
	unit := daemon.Unit(daemon.Setup{Executable: "/usr/bin/maquininha", Config: daemon.UnitConfig, Data: daemon.UnitData, User: daemon.UnitUser}, daemon.DeviceGroups)
	content := []entry{
		// It may come to hold secrets: the service's user alone reads it, once there is one.
		{name: strings.TrimPrefix(daemon.UnitConfig, "/"), mode: 0o600, content: config},
		{name: "etc/default/maquininha-kiosk", mode: 0o644, content: text("kiosk.default")},
		{name: "lib/systemd/system/maquininha.service", mode: 0o644, content: []byte(unit)},
		{name: "lib/systemd/system/maquininha-kiosk.service", mode: 0o644, content: text("maquininha-kiosk.service")},
		{name: "usr/bin/maquininha", mode: 0o755, content: binary},
		{name: "usr/lib/maquininha/kiosk", mode: 0o755, content: text("kiosk.sh")},
		{name: "usr/share/doc/maquininha/LEIA-ME.Debian", mode: 0o644, content: text("LEIA-ME.Debian")},
	}
	var sums strings.Builder
	size := 0
	for _, f := range content {
		size += (len(f.content)+1023)/1024 + 1
		fmt.Fprintf(&sums, "%x  %s\n", md5.Sum(f.content), f.name)
	}
	about := fmt.Sprintf(`Package: maquininha
Version: %s-%s
Architecture: %s
Maintainer: Maquininha <maquininha@localhost>
Installed-Size: %d
Depends: passwd, init-system-helpers
Recommends: chromium, cage, xwayland, libpam-systemd
Section: misc
Priority: optional
Description: terminal de ponto de venda para o varejo brasileiro
 Mantém a venda na tela, pergunta ao cliente, imprime cupons fiscais e recebe
 pagamentos com cartão e PIX, comandado por HTTP pelo sistema de vendas.
 .
 O serviço inicia com a máquina. O quiosque (Chromium em tela cheia) é ligado
 com systemctl enable --now maquininha-kiosk.
`, r.Version, r.Build, architecture, size)
	control, err := pack([]entry{
		{name: "control", mode: 0o644, content: []byte(about)},
		{name: "conffiles", mode: 0o644, content: []byte(daemon.UnitConfig + "\n/etc/default/maquininha-kiosk\n")},
		{name: "md5sums", mode: 0o644, content: []byte(sums.String())},
		{name: "preinst", mode: 0o755, content: text("preinst.sh")},
		{name: "postinst", mode: 0o755, content: text("postinst.sh")},
		{name: "prerm", mode: 0o755, content: text("prerm.sh")},
		{name: "postrm", mode: 0o755, content: text("postrm.sh")},
	}, r.Time)
	if err != nil {
		return nil, err
	}
	data, err := pack(content, r.Time)
	if err != nil {
		return nil, err
	}
	return join([]entry{
		{name: "debian-binary", content: []byte("2.0\n")}, {name: "control.tar.gz", content: control}, {name: "data.tar.gz", content: data},
	}, r.Time), nil
}
