//go:build !race || everything

package httpapi_test

// describedHere has every exchange held against the description.
const describedHere = true
