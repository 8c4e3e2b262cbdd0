package daemon

import (
	"strings"
	"testing"
)

func TestUnit(t *testing.T) {
	for _, c := range []struct {
		setup    Setup
		has, not []string
	}{
		{
			Setup{Executable: "/usr/bin/maquininha", Config: UnitConfig, Data: UnitData, User: UnitUser},
			[]string{
				"ExecStart=/usr/bin/maquininha serve --config /etc/maquininha/maquininha.toml\n", "User=maquininha\n", "Restart=on-failure\n",
				"StateDirectory=maquininha\n", "ProtectHome=yes\n", "SupplementaryGroups=lp dialout\n",
			},
			[]string{"PrivateDevices", "ProtectClock", "DevicePolicy"}, // they would hide printers
		},
		{
			Setup{Executable: "/opt/maq 1/maquininha", Config: `/srv/50%/a"b$c.toml`, Data: "/home/ana/caixa", TellData: true, User: "ana"},
			[]string{`ExecStart="/opt/maq 1/maquininha" serve --config "/srv/50%%/a\"b$$c.toml" --data /home/ana/caixa` + "\n", "User=ana\n"},
			[]string{"StateDirectory", "ProtectHome"},
		},
		// Two folders for systemd, and the second is somebody else's.
		{Setup{Executable: "/opt/R$/maquininha", Config: UnitConfig, Data: "/var/lib/zz dpkg", User: "a%b"}, []string{"\nExecStart=\"/opt/R$/maquininha\" serve", "\nUser=a%%b\n"}, []string{"StateDirectory"}},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: "/var/lib/caixa-1.a", User: UnitUser}, []string{"\nStateDirectory=caixa-1.a\n"}, nil},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: UnitData, User: UnitUser, Named: []string{"/etc/ssl/a.pem", "/home/ana/senha"}}, nil, []string{"ProtectHome"}},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: UnitData, User: UnitUser, Named: []string{"/homes/ana/senha"}}, []string{"\nProtectHome=yes\n"}, nil},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: `/var/lib/a:b`, User: UnitUser}, nil, []string{"StateDirectory"}},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: `/var/lib/a%b`, User: UnitUser}, nil, []string{"StateDirectory"}},
		{Setup{Executable: "/opt/x", Config: UnitConfig, Data: `/var/lib/..`, User: UnitUser}, nil, []string{"StateDirectory"}},
	} {
		unit := Unit(c.setup, DeviceGroups)
		for _, text := range c.has {
			if !strings.Contains(unit, text) {
				t.Errorf("no %q in\n%s", text, unit)
			}
		}
		for _, text := range c.not {
			if strings.Contains(unit, "\n"+text) {
				t.Errorf("%q in\n%s", text, unit)
			}
		}
	}
}
