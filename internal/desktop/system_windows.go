package desktop

import "github.com/gen2brain/beeep"

func init() { beeep.AppName = "maquininha" }

func present() bool { return true }

func show(title, text string) error { return beeep.Notify(title, text, "") }

func hangUp() {}
