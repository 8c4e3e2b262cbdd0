package daemon

// Program is what is put into a manager's hands.
type Program struct {
	Name        string // of the service, its user, its folders and its configuration file
	Title       string // as Windows shows it
	Description string
	Groups      []string // that its user is given, where they exist

	documentation string
	after         string
	guards        []string // lines of the unit
	strict        bool     // they let it write to its data alone
}

// Terminal is the point-of-sale terminal. The groups are whom printers belong to: at the parallel port and USB, and serial ones.
var Terminal = Program{
	Name: "maquininha", Title: "Maquininha", Description: "Maquininha, terminal de ponto de venda", Groups: []string{"lp", "dialout"},
	documentation: "http://127.0.0.1:9050/docs", after: "network.target time-sync.target",
	// PrivateDevices and ProtectClock would hide printers.
	guards: []string{"# Not strict: the folders of a payment manager may be anywhere its owner lets this user write.", "ProtectSystem=full"},
}

// Hub is where many terminals are reached. It has no devices, and writes nowhere but to its data.
var Hub = Program{
	Name: "maquininha-hub", Title: "Maquininha, hub", Description: "Maquininha, hub de terminais",
	documentation: "https://127.0.0.1:9060/docs", after: "network.target time-sync.target postgresql.service", strict: true,
	guards: []string{
		"# A connection for each terminal, and some.", "LimitNOFILE=65536",
		"ProtectSystem=strict", "PrivateDevices=yes", "ProtectClock=yes", "PrivateIPC=yes", "RemoveIPC=yes",
	},
}
