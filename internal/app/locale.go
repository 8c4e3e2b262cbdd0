package app

import (
	"fmt"
	"os"
	"strings"
	"time"
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

// timeZone is the IANA name of the device's zone. Where the system keeps none, it is the zone of the same offset.
func timeZone() string {
	if name := time.Local.String(); name != "Local" && name != "" {
		return name
	}
	if name := strings.TrimPrefix(os.Getenv("TZ"), ":"); name != "" {
		return name
	}
	if target, err := os.Readlink("/etc/localtime"); err == nil {
		if _, name, ok := strings.Cut(target, "zoneinfo/"); ok {
			return name
		}
	}
	if text, err := os.ReadFile("/etc/timezone"); err == nil && len(strings.TrimSpace(string(text))) > 0 {
		return strings.TrimSpace(string(text))
	}
	_, offset := time.Now().Zone()
	if offset == 0 {
		return "Etc/UTC"
	}
	return fmt.Sprintf("Etc/GMT%+d", -offset/3600) // these names count westward
}
