// Package powerloss is a disk for tests that loses, when the power goes, what it was not made to keep.
//
// It stands between SQLite and the file system as SQLite's default VFS, so that what is tested is the store as it is.
// For each file below a Disk's folder it remembers every write since the file was last synced, and every name made or
// taken away since the folder was. Cut, or a fuse that burns down after some steps, ends all that: nothing more is
// read or written. Restore then leaves in the folder what a disk could hold: all that was synced, and of the rest
// anything, sector by sector, in any order. The shared memory (-shm) is gone.
//
// Files that SQLite does not open, and other folders, are left alone. The package starts no goroutine, so it works in
// a synctest bubble, and it never really syncs, so it is fast.
package powerloss

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"sync"
)

// Kind is what a disk makes of a sync.
type Kind int

// Tests run on an honest disk. The other two are there to show that a test can tell: on a lying one it must fail, and
// on one with a battery nothing can be lost, however badly the program syncs.
const (
	Honest  Kind = iota
	Lying        // says that it has synced, and has not
	Battery      // loses nothing
)

// Disk is a folder that can lose its power.
type Disk struct {
	dir  string
	kind Kind

	mu    sync.Mutex
	fuse  int // steps until the power goes; 0: it stays
	steps int
	dead  bool
	open  int               // handles
	live  map[string]*inode // what programs see
	kept  map[string]*inode // the names that the disk keeps
	moves []move            // of names since the folder was synced
}

// move is a name given to a file, or, with none, taken away.
type move struct {
	name string
	file *inode
}

var errOpen = errors.New("files are still open")

// New puts a disk under the folder until Close. What SQLite's files there hold now is kept.
func New(dir string, kind Kind) (*Disk, error) {
	dir, err := filepath.EvalSymlinks(dir) // as SQLite names its files
	if err != nil {
		return nil, err
	}
	d := &Disk{dir: dir, kind: kind, live: map[string]*inode{}, kept: map[string]*inode{}}
	for _, pattern := range []string{"*.db", "*-wal", "*-journal"} {
		paths, err := filepath.Glob(filepath.Join(dir, pattern))
		if err != nil {
			return nil, err
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				return nil, err
			}
			file := &inode{synced: data}
			d.live[filepath.Base(path)], d.kept[filepath.Base(path)] = file, file
		}
	}
	return d, mount(d)
}

// Close takes the disk away. Nothing may be open on it.
func (d *Disk) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open > 0 {
		return errOpen
	}
	unmount(d)
	return nil
}

// CutIn lets the power go in the n-th step from now: a write, truncation, sync, or a name made or taken away. That step
// itself may be done, in part or not at all. With 0 the power stays.
func (d *Disk) CutIn(n int) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fuse = n
}

// Cut lets the power go now.
func (d *Disk) Cut() {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.dead = true
}

// Dead tells whether the power is gone. A program without power has no effect on anything: what stands for one must
// ask before it does something elsewhere.
func (d *Disk) Dead() bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.dead
}

// Steps is how many there were so far.
func (d *Disk) Steps() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.steps
}

// Restore brings the power back, once all that was open has been closed. The folder then holds what was synced, and
// what the seed chooses of the rest; lost is how many sectors and names that is not. The fuse is out.
func (d *Disk) Restore(seed uint64) (lost int, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.open > 0 {
		return 0, fmt.Errorf("%w: %d", errOpen, d.open)
	}
	rng := rand.New(rand.NewPCG(seed, 0))
	for name := range d.live {
		for _, path := range []string{name, name + "-shm"} {
			if err := os.Remove(filepath.Join(d.dir, path)); err != nil && !errors.Is(err, os.ErrNotExist) {
				return 0, err
			}
		}
	}
	kept, lost := d.survivors(rng)
	d.live, d.kept, d.moves = map[string]*inode{}, map[string]*inode{}, nil
	for _, name := range sorted(kept) {
		data, missing := kept[name].survive(d.kind, rng)
		lost += missing
		if err := os.WriteFile(filepath.Join(d.dir, name), data, 0o600); err != nil {
			return 0, err
		}
		file := &inode{synced: data}
		d.live[name], d.kept[name] = file, file
	}
	d.dead, d.fuse = false, 0
	return lost, nil
}

// survivors are the names that the disk comes back with. Each name is as it was at some moment since the sync.
func (d *Disk) survivors(rng *rand.Rand) (names map[string]*inode, lost int) {
	names = map[string]*inode{}
	for name, file := range d.kept {
		names[name] = file
	}
	byName := map[string][]*inode{}
	for _, m := range d.moves {
		byName[m.name] = append(byName[m.name], m.file)
	}
	all := rng.IntN(2) == 0
	for _, name := range sorted(byName) {
		moves := byName[name]
		landed := rng.IntN(len(moves) + 1)
		if all || d.kind == Battery {
			landed = len(moves)
		}
		lost += len(moves) - landed
		if landed > 0 {
			rename(names, name, moves[landed-1])
		}
	}
	return names, lost
}

// step is one thing done to the disk. began tells whether it began before the power went, done whether it was done.
func (d *Disk) step() (began, done bool) {
	if d.dead {
		return false, false
	}
	d.steps++
	if d.fuse > 0 {
		d.fuse--
		d.dead = d.fuse == 0
	}
	return true, !d.dead
}

// name gives a name to a file, or takes it away.
func (d *Disk) name(name string, file *inode) {
	rename(d.live, name, file)
	d.moves = append(d.moves, move{name, file})
}

// syncNames keeps the folder as it is.
func (d *Disk) syncNames() {
	if d.kind == Lying {
		return
	}
	for _, m := range d.moves {
		rename(d.kept, m.name, m.file)
	}
	d.moves = nil
}

func rename(names map[string]*inode, name string, file *inode) {
	if file == nil {
		delete(names, name)
	} else {
		names[name] = file
	}
}
