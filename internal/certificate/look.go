package certificate

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/base64"
	"fmt"
	"strings"
	"time"
)

// Fingerprint is the certificate's SHA-256 as browsers and openssl show it.
func Fingerprint(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.Raw)
	return strings.ReplaceAll(fmt.Sprintf("% X", sum[:]), " ", ":")
}

// PublicKey is the key's SHA-256 as curl's --pinnedpubkey takes it; it outlives renewals of our own certificate.
func PublicKey(leaf *x509.Certificate) string {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return "sha256//" + base64.StdEncoding.EncodeToString(sum[:])
}

// Doubts are why callers may refuse the certificate; none is "".
func Doubts(leaf *x509.Certificate) string {
	const day = "02/01/2006"
	switch now := time.Now(); {
	case now.After(leaf.NotAfter):
		return "; atenção: venceu em " + leaf.NotAfter.Local().Format(day) + ", os chamadores vão recusá-lo"
	case now.Before(leaf.NotBefore):
		return "; atenção: só vale a partir de " + leaf.NotBefore.Local().Format(day) + ", os chamadores vão recusá-lo"
	case leaf.NotAfter.Sub(now) < renewBefore:
		return "; atenção: vence em " + leaf.NotAfter.Local().Format(day)
	}
	return ""
}
