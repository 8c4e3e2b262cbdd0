package app

import (
	"os"
	"strings"
)

// locale is the device's language and country, as in pt-BR; Brazil's where the system does not say.
func locale() string {
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		tag, _, _ := strings.Cut(os.Getenv(name), ".")
		if language, country, ok := strings.Cut(tag, "_"); ok && len(language) == 2 && len(country) == 2 {
			return language + "-" + country
		}
	}
	return "pt-BR"
}
