package peers

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/sha256"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"math/big"
	"slices"
	"time"
)

// Identity is what a hub shows the others. It is made anew at every start and kept nowhere: the lease names its key.
type Identity struct {
	cert    tls.Certificate
	KeyHash []byte
}

// NewIdentity makes one.
func NewIdentity() (Identity, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Identity{}, err
	}
	// Its dates say nothing: the lease does.
	text := &x509.Certificate{SerialNumber: big.NewInt(1), NotBefore: time.Unix(0, 0), NotAfter: time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC)}
	raw, err := x509.CreateCertificate(rand.Reader, text, text, key.Public(), key)
	if err != nil {
		return Identity{}, err
	}
	leaf, err := x509.ParseCertificate(raw)
	if err != nil {
		return Identity{}, err
	}
	return Identity{tls.Certificate{Certificate: [][]byte{raw}, PrivateKey: key, Leaf: leaf}, hashOf(leaf)}, nil
}

func hashOf(leaf *x509.Certificate) []byte {
	sum := sha256.Sum256(leaf.RawSubjectPublicKeyInfo)
	return sum[:]
}

var errOtherKey = errors.New("another hub answers at this address")

// dialling is TLS to a hub with this key.
func (i Identity) dialling(keyHash []byte) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.cert}, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2"},
		InsecureSkipVerify: true, // no authority vouches for it: the lease names its key
		VerifyConnection: func(s tls.ConnectionState) error {
			if !slices.Equal(hashOf(s.PeerCertificates[0]), keyHash) {
				return errOtherKey
			}
			return nil
		},
	}
}

// accepting is TLS for those whose key known finds.
func (i Identity) accepting(known func(keyHash []byte) error) *tls.Config {
	return &tls.Config{
		Certificates: []tls.Certificate{i.cert}, MinVersion: tls.VersionTLS13, NextProtos: []string{"h2"},
		ClientAuth: tls.RequireAnyClientCert, SessionTicketsDisabled: true,
		VerifyConnection: func(s tls.ConnectionState) error { return known(hashOf(s.PeerCertificates[0])) },
	}
}
