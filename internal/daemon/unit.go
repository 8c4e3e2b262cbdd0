package daemon

import (
	"path"
	"slices"
	"strings"
)

// Where a service lives on Linux.
func (p Program) UnitConfig() string { return "/etc/" + p.Name + "/" + p.Name + ".toml" }
func (p Program) UnitData() string   { return "/var/lib/" + p.Name }
func (p Program) UnitUser() string   { return p.Name }

// Unit is the service as systemd reads it. The groups must exist.
func Unit(s Setup, groups []string) string {
	var b strings.Builder
	line := func(text string) { b.WriteString(text + "\n") }
	line("[Unit]")
	line("Description=" + s.Description)
	line("Documentation=" + s.documentation)
	line("After=" + s.after)
	line("# A port that is taken, a disk that is full: it is tried again until somebody has seen to it.")
	line("StartLimitIntervalSec=0")
	line("")
	line("[Service]")
	line("Type=notify")
	line("ExecStart=" + commandLine(s.Executable, s.arguments()...))
	line("SyslogIdentifier=" + s.Name)
	line("Restart=on-failure")
	line("RestartSec=5")
	line("# Stopping, it answers the requests it holds.")
	line("TimeoutStopSec=30")
	line("User=" + specifiers.Replace(s.User))
	if len(groups) > 0 {
		line("SupplementaryGroups=" + strings.Join(groups, " "))
	}
	// It is a list, whose parts systemd hands to the user, each with all that is in it: a name that could be taken for two
	// stays out. Whoever installs makes the folder anyway.
	if name := path.Base(s.Data); path.Dir(s.Data) == "/var/lib" && plain(name) {
		line("StateDirectory=" + name)
		line("StateDirectoryMode=0700")
	} else if s.strict {
		line("ReadWritePaths=" + quoted(s.Data))
	}
	line("UMask=0077")
	line("# Ports below 1024, and nothing else of what root may.")
	line("AmbientCapabilities=CAP_NET_BIND_SERVICE")
	line("CapabilityBoundingSet=CAP_NET_BIND_SERVICE")
	line("NoNewPrivileges=yes")
	for _, text := range s.guards {
		line(text)
	}
	if !s.atHome() {
		line("ProtectHome=yes")
	}
	for _, text := range hardening {
		line(text)
	}
	line("")
	line("[Install]")
	line("WantedBy=multi-user.target")
	return b.String()
}

// hardening is what neither program ever needs.
var hardening = []string{
	"PrivateTmp=yes",
	"ProtectProc=invisible",
	"ProtectKernelTunables=yes",
	"ProtectKernelModules=yes",
	"ProtectKernelLogs=yes",
	"ProtectControlGroups=yes",
	"ProtectHostname=yes",
	"RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK",
	"RestrictNamespaces=yes",
	"RestrictRealtime=yes",
	"RestrictSUIDSGID=yes",
	"LockPersonality=yes",
	"MemoryDenyWriteExecute=yes",
	"SystemCallArchitectures=native",
	"SystemCallFilter=@system-service",
	"SystemCallErrorNumber=EPERM",
}

// homes are what ProtectHome is about.
var homes = []string{"/home", "/root", "/run/user"}

// atHome tells whether the service needs something in somebody's home.
func (s Setup) atHome() bool {
	for _, p := range append([]string{s.Executable, s.Config, s.Data}, s.Named...) {
		if slices.ContainsFunc(homes, func(home string) bool { return under(p, home) }) {
			return true
		}
	}
	return false
}

func under(p, folder string) bool { return strings.HasPrefix(p+"/", folder+"/") }

var (
	specifiers = strings.NewReplacer("%", "%%")
	inQuotes   = strings.NewReplacer(`\`, `\\`, `"`, `\"`, "%", "%%", "\n", `\n`)
)

// commandLine is a command as systemd takes it apart again. In the program's own name it replaces no variables.
func commandLine(program string, args ...string) string {
	words := []string{quoted(program)}
	for _, arg := range args {
		words = append(words, strings.ReplaceAll(quoted(arg), "$", "$$"))
	}
	return strings.Join(words, " ")
}

func quoted(word string) string {
	if plain(strings.ReplaceAll(word, "/", "")) {
		return word
	}
	return `"` + inQuotes.Replace(word) + `"`
}

// plain tells whether a word means nothing but itself anywhere in a unit.
func plain(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_.") == "" && strings.Trim(word, ".") != ""
}
