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
			Setup{Program: Terminal, Executable: "/usr/bin/maquininha", Config: Terminal.UnitConfig(), Data: Terminal.UnitData(), User: Terminal.UnitUser()},
			[]string{
				"ExecStart=/usr/bin/maquininha serve --config /etc/maquininha/maquininha.toml\n", "User=maquininha\n", "Restart=on-failure\n",
				"StateDirectory=maquininha\n", "ProtectHome=yes\n", "SupplementaryGroups=lp dialout\n",
			},
			[]string{"PrivateDevices", "ProtectClock", "DevicePolicy"}, // they would hide printers
		},
		{
			Setup{Program: Terminal, Executable: "/opt/maq 1/maquininha", Config: `/srv/50%/a"b$c.toml`, Data: "/home/ana/caixa", TellData: true, User: "ana"},
			[]string{`ExecStart="/opt/maq 1/maquininha" serve --config "/srv/50%%/a\"b$$c.toml" --data /home/ana/caixa` + "\n", "User=ana\n"},
			[]string{"StateDirectory", "ProtectHome"},
		},
		// Two folders for systemd, and the second is somebody else's.
		{Setup{Program: Terminal, Executable: "/opt/R$/maquininha", Config: Terminal.UnitConfig(), Data: "/var/lib/zz dpkg", User: "a%b"}, []string{"\nExecStart=\"/opt/R$/maquininha\" serve", "\nUser=a%%b\n"}, []string{"StateDirectory"}},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: "/var/lib/caixa-1.a", User: Terminal.UnitUser()}, []string{"\nStateDirectory=caixa-1.a\n"}, nil},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: Terminal.UnitData(), User: Terminal.UnitUser(), Named: []string{"/etc/ssl/a.pem", "/home/ana/senha"}}, nil, []string{"ProtectHome"}},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: Terminal.UnitData(), User: Terminal.UnitUser(), Named: []string{"/homes/ana/senha"}}, []string{"\nProtectHome=yes\n"}, nil},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: `/var/lib/a:b`, User: Terminal.UnitUser()}, nil, []string{"StateDirectory"}},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: `/var/lib/a%b`, User: Terminal.UnitUser()}, nil, []string{"StateDirectory"}},
		{Setup{Program: Terminal, Executable: "/opt/x", Config: Terminal.UnitConfig(), Data: `/var/lib/..`, User: Terminal.UnitUser()}, nil, []string{"StateDirectory"}},
		{
			Setup{Program: Hub, Executable: "/usr/bin/maquininha-hub", Config: Hub.UnitConfig(), Data: Hub.UnitData(), User: Hub.UnitUser()},
			[]string{
				"Description=Maquininha, hub de terminais\n", "ExecStart=/usr/bin/maquininha-hub serve --config /etc/maquininha-hub/maquininha-hub.toml\n", "User=maquininha-hub\n",
				"SyslogIdentifier=maquininha-hub\n", "StateDirectory=maquininha-hub\n", "ProtectSystem=strict\n", "PrivateDevices=yes\n", "ProtectHome=yes\n", "LimitNOFILE=",
			},
			[]string{"SupplementaryGroups", "ReadWritePaths", "ProtectSystem=full"},
		},
		{
			Setup{Program: Hub, Executable: "/opt/x", Config: Hub.UnitConfig(), Data: "/srv/hub 1", User: "hub"},
			[]string{"\nReadWritePaths=\"/srv/hub 1\"\n"},
			[]string{"StateDirectory"},
		},
	} {
		unit := Unit(c.setup, c.setup.Groups)
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
