package tef

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"time"
)

// What keeps Alive from hearing the manager.
var (
	ErrInactive = errInactive
	ErrFolders  = errFiles
	// ErrOccupied means that another program's exchange is in the folders.
	ErrOccupied = errors.New("an exchange is under way in the TEF folders")
)

// Folders are those that requests and answers go through.
func (c Config) Folders() (req, resp string, err error) {
	a, err := c.driver()
	if err != nil {
		return "", "", err
	}
	return a.req.Path, a.resp.Path, nil
}

// Alive asks the manager in the folders whether it is there; no money moves. It must not be called while a driver uses
// the folders, and touches nothing of another program's.
func Alive(ctx context.Context, c Config) (req, resp string, err error) {
	a, err := c.driver()
	if err != nil {
		return "", "", err
	}
	req, resp = a.req.Path, a.resp.Path
	for _, dir := range []string{req, resp} {
		if err := writable(dir); err != nil {
			return req, resp, fmt.Errorf("%w: %w", ErrFolders, err)
		}
	}
	_, _, asking, _ := a.req.Read(a.files.Request)
	_, _, answered, _ := a.resp.Read(a.files.Response)
	if asking || answered {
		return req, resp, ErrOccupied
	}
	err = a.send(ctx, alive(strconv.FormatInt(time.Now().Unix()%1e9, 10)))
	return req, resp, err
}

// writable tells why nothing can be put into a folder.
func writable(dir string) error {
	f, err := os.CreateTemp(dir, "maquininha-*.tmp")
	if err != nil {
		return err
	}
	return errors.Join(f.Close(), os.Remove(f.Name()))
}
