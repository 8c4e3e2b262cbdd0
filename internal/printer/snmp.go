package printer

import (
	"context"
	"encoding/asn1"
	"errors"
	"net"
	"net/netip"
	"time"
)

// What printers are asked for: the name of the first device, and what is wrong with it (RFC 2790).
var (
	snmpDescription   = asn1.ObjectIdentifier{1, 3, 6, 1, 2, 1, 25, 3, 2, 1, 3, 1}
	snmpPrinterErrors = asn1.ObjectIdentifier{1, 3, 6, 1, 2, 1, 25, 3, 5, 1, 2, 1}
)

// A message of SNMP version 1 (RFC 1157). A request has the tag 0, an answer 2.
type (
	snmpRequest struct {
		Version   int
		Community []byte
		PDU       snmpPDU `asn1:"tag:0"`
	}
	snmpAnswer struct {
		Version   int
		Community []byte
		PDU       snmpPDU `asn1:"tag:2"`
	}
	snmpPDU struct {
		ID, Error, Index int
		Variables        []snmpVariable
	}
	snmpVariable struct {
		Name  asn1.ObjectIdentifier
		Value asn1.RawValue
	}
)

const (
	snmpPort = 161
	snmpTime = 700 * time.Millisecond
)

var errSNMP = errors.New("no such answer by SNMP")

// snmpGet asks for a text.
func snmpGet(ctx context.Context, ip netip.Addr, name asn1.ObjectIdentifier) ([]byte, error) {
	const id = 1
	question, err := asn1.Marshal(snmpRequest{Community: []byte("public"), PDU: snmpPDU{ID: id, Variables: []snmpVariable{{name, asn1.NullRawValue}}}})
	if err != nil {
		return nil, err
	}
	var d net.Dialer
	conn, err := d.DialContext(ctx, "udp", netip.AddrPortFrom(ip, snmpPort).String())
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if err := conn.SetDeadline(time.Now().Add(snmpTime)); err != nil {
		return nil, err
	}
	if _, err := conn.Write(question); err != nil {
		return nil, err
	}
	said := make([]byte, 2048)
	n, err := conn.Read(said)
	if err != nil {
		return nil, err
	}
	return parseSNMP(said[:n], id, name)
}

func parseSNMP(said []byte, id int, name asn1.ObjectIdentifier) ([]byte, error) {
	var answer snmpAnswer
	if _, err := asn1.Unmarshal(said, &answer); err != nil {
		return nil, errSNMP
	}
	p := answer.PDU
	if p.ID != id || p.Error != 0 || len(p.Variables) != 1 || !p.Variables[0].Name.Equal(name) || p.Variables[0].Value.Tag != asn1.TagOctetString {
		return nil, errSNMP
	}
	return p.Variables[0].Value.Bytes, nil
}
