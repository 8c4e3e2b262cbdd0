package moment

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"time"
)

// The names of IANA's zones: in an area, or alone. Systems have further files beside theirs, such as right/UTC, which counts leap seconds.
var (
	zoneAreas = strings.Fields("Africa America Antarctica Arctic Asia Atlantic Australia Brazil Canada Chile Etc Europe Indian Mexico Pacific US")
	zonesOf   = strings.Fields("CET CST6CDT Cuba EET EST EST5EDT Egypt Eire GB GB-Eire GMT GMT+0 GMT-0 GMT0 Greenwich HST Hongkong Iceland Iran Israel Jamaica Japan Kwajalein Libya MET MST " +
		"MST7MDT NZ NZ-CHAT Navajo PRC PST8PDT Poland Portugal ROC ROK Singapore Turkey UCT UTC Universal W-SU WET Zulu")
)

// Zone is the one with a name of IANA's, such as America/Manaus.
func Zone(name string) (zone *time.Location, ok bool) {
	area, _, within := strings.Cut(name, "/")
	if within && !slices.Contains(zoneAreas, area) || !within && !slices.Contains(zonesOf, name) {
		return nil, false
	}
	zone, err := time.LoadLocation(name)
	return zone, err == nil
}

// ZoneName says which one it is: by its name or, where it has none, by what it is off.
func ZoneName(zone *time.Location) string {
	switch zone.String() {
	case "Local":
		return LocalZone()
	case "":
		return "UTC" + time.Now().In(zone).Format("-07:00")
	}
	return zone.String()
}

// LocalZone is the IANA name of the device's zone. Where the system keeps none, it is the zone of the same offset.
func LocalZone() string {
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
