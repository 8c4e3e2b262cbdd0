package fiscal

import _ "embed"

// Sample is an authorised NFC-e of a shop that does not exist, for who tries a printer or the emulator.
//
//go:embed testdata/nfce.xml
var Sample []byte
