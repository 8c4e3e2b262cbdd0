package app

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/maquininha/maquininha/internal/hub/fleet"
)

// What a hub is called at first; people rename nothing of it before they have seen it work.
var foundation = fleet.Foundation{Account: "Conta principal", Tenant: "Cliente principal", Shop: "Loja 1", Person: "admin"}

// itself is who changes something when no person does: the program, in the whole of an account.
func itself(account string) fleet.Actor {
	return fleet.Actor{Scope: fleet.Scope{Place: fleet.Place{Account: account}, Role: fleet.Administers}, ID: "hub", Name: "hub"}
}

// begin makes the first account, and a code for as long as no terminal has joined: whoever tries the hub has one line to type.
func (a *App) begin(ctx context.Context) error {
	founded, err := a.fleet.Found(ctx, foundation)
	switch {
	case err == nil:
		a.founded = founded
	case !errors.Is(err, fleet.ErrTaken):
		return fmt.Errorf("a primeira conta não pôde ser criada: %s", words(err))
	}
	account, err := a.onlyAccount(ctx)
	if err != nil || account == "" {
		return err
	}
	actor := itself(account)
	_, joined, err := a.fleet.Terminals(ctx, actor.Scope, fleet.TerminalFilter{Limit: 1})
	if err != nil || joined > 0 {
		return err
	}
	a.code, _, err = a.fleet.MakeCode(ctx, actor, "", "")
	if errors.Is(err, fleet.ErrWhichShop) || errors.Is(err, fleet.ErrNotFound) {
		return nil // somebody has set it up already, and makes codes at the page
	}
	return err
}

// onlyAccount is the account of a hub that has one; empty: it has several.
func (a *App) onlyAccount(ctx context.Context) (string, error) {
	accounts, err := a.fleet.Accounts(ctx)
	if err != nil || len(accounts) != 1 {
		return "", err
	}
	return accounts[0].ID, nil
}

// NewPassword gives a person another password and returns it; the second factor is gone. No hub may be running on the data folder.
func NewPassword(ctx context.Context, c Config, name string) (password string, err error) {
	err = offline(ctx, c, func(desk *fleet.Desk, account string) error {
		people, err := desk.People(ctx, itself(account))
		if err != nil {
			return err
		}
		for _, p := range people {
			if p.Name == strings.ToLower(strings.TrimSpace(name)) && p.RevokedAt.IsZero() { // as people sign in
				if p.HasFactor() { // who can stop the hub may do without
					if err := desk.DropFactor(ctx, itself(account), p.ID, ""); err != nil {
						return err
					}
				}
				password, err = desk.SetPassword(ctx, itself(account), p.ID, "", "")
				return err
			}
		}
		return fleet.ErrNotFound
	})
	if errors.Is(err, fleet.ErrNotFound) {
		err = fmt.Errorf("não há ninguém chamado %q neste hub", name)
	}
	return password, err
}

// NewKey makes a key that may do everything in an account. No hub may be running on the data folder.
func NewKey(ctx context.Context, c Config, name string) (id, secret string, err error) {
	err = offline(ctx, c, func(desk *fleet.Desk, account string) error {
		k, told, err := desk.MakeKey(ctx, itself(account), fleet.Wanted{Scope: itself(account).Scope, Name: name})
		id, secret = k.ID, told
		return err
	})
	return id, secret, err
}
