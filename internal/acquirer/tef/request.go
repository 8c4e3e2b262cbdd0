package tef

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/maquininha/maquininha/internal/acquirer/tef/intpos"
	"github.com/maquininha/maquininha/internal/money"
	"github.com/maquininha/maquininha/internal/payment"
)

// deal is what was agreed on before the manager is asked.
type deal struct {
	method       payment.Method
	installments int
	plan         payment.Plan
	open         bool // the person may still choose instalments at the pinpad
}

func (c Config) sale(id string, amount money.Decimal, d deal) intpos.Message {
	p := c.Profile
	how := p.Methods[d.method]
	f := Fields{intpos.Amount: p.amount(amount)}
	if p.Document {
		f[intpos.Document] = id
	}
	if how.Command == "" { // an operation of its own takes no preselection
		maps.Copy(f, p.Offer)
		maps.Copy(f, how.Fields)
		if d.method == payment.Credit {
			maps.Copy(f, p.financing(d))
		}
	}
	c.addIdentity(f)
	return f.message(cmp.Or(how.Command, intpos.Sale), id)
}

// financing is how instalments are asked for.
func (p Profile) financing(d deal) Fields {
	switch {
	case d.installments <= 1 && d.open:
		return nil
	case d.installments <= 1:
		return p.InFull
	}
	f := Fields{}
	if d.plan == payment.Buyer {
		maps.Copy(f, p.ByIssuer)
	} else {
		maps.Copy(f, p.ByMerchant)
	}
	if p.Count != "" {
		f[p.Count] = strconv.Itoa(d.installments)
	}
	return f
}

func (c Config) cancellation(id string, amount money.Decimal, original token) intpos.Message {
	f := original.fields(c.Profile.Cancellation)
	f[intpos.Amount] = c.Profile.amount(amount)
	maps.Copy(f, c.Profile.Offer)
	c.addIdentity(f)
	return f.message(intpos.Cancel, id)
}

// menu is the message that opens the manager's own menu.
func (c Config) menu(id string) intpos.Message {
	f := maps.Clone(c.Profile.Menu)
	if f == nil {
		f = Fields{}
	}
	c.addIdentity(f)
	return f.message(intpos.Admin, id)
}

// finishing is the message that confirms or undoes an operation.
func (c Config) finishing(command string, of token) intpos.Message {
	fields := c.Profile.Confirmation
	switch {
	case of.Reported:
		fields = link // the id does not tell which is meant
	case command == intpos.Undo:
		fields = c.Profile.Undoing
	}
	f := of.fields(fields)
	c.addIdentity(f)
	delete(f, intpos.Company) // who the shop's program is was said with the sale
	return f.message(command, of.ID)
}

func (c Config) addIdentity(f Fields) {
	maps.Copy(f, c.Profile.Always)
	if c.Profile.Identified {
		f[intpos.Company], f[intpos.Application], f[intpos.Version], f[intpos.Certification] = c.Company, c.Application, c.Version, c.Certification
	}
}

// message puts the fields in the order of their numbers; empty ones are left out.
func (f Fields) message(command, id string) intpos.Message {
	m := intpos.Of(intpos.Command, command, intpos.ID, id)
	for _, name := range slices.Sorted(maps.Keys(f)) {
		if f[name] == "" {
			continue
		}
		number, line, _ := strings.Cut(name, "-")
		index, _ := strconv.Atoi(line) // of 018: 0
		m = append(m, intpos.Field{Number: number, Index: index, Value: f[name]})
	}
	return m
}

// amount is the text of field 003.
func (p Profile) amount(d money.Decimal) string {
	if p.Reais {
		return d.Reais()
	}
	return cmp.Or(strings.TrimLeft(strings.Replace(d.Cents(), ".", "", 1), "0"), "0")
}

// isAmount tells whether the manager wrote this amount. A text with a comma is reais whatever the profile.
func (p Profile) isAmount(text string, d money.Decimal) bool {
	got, ok := p.parseAmount(text)
	return ok && got.Cmp(d) == 0
}

// parseAmount reads field 003.
func (p Profile) parseAmount(text string) (amount money.Decimal, ok bool) {
	whole, fraction, reais := strings.Cut(text, ",")
	if !reais {
		cents, err := strconv.ParseInt(text, 10, 64)
		if err != nil || cents < 0 || p.Reais {
			return money.Zero, false
		}
		whole, fraction = strconv.FormatInt(cents/100, 10), fmt.Sprintf("%02d", cents%100)
	}
	amount, err := money.Parse(strings.ReplaceAll(whole, ".", "") + "." + fraction)
	return amount, err == nil
}
