package brazil

import "strings"

// ParsePhone returns the 10 (landline) or 11 (mobile) digits of the phone
// number a person typed, area code first, and whether one like it can exist.
// A country code is passed over only as +55: without the sign, 55 is the area
// code of Santa Maria.
func ParsePhone(typed string) (string, bool) {
	phone := strings.TrimPrefix(bare(typed, "()-."), "+55")
	if !allDigits(phone) {
		return "", false
	}
	switch len(phone) {
	case 10:
	case 11:
		if phone[2] != '9' {
			return "", false
		}
	default:
		return "", false
	}
	// Area codes go from 11 to 99, and none has a zero.
	if phone[0] == '0' || phone[1] == '0' {
		return "", false
	}
	return phone, true
}
