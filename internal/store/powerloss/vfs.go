package powerloss

import (
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"unsafe"

	"modernc.org/libc"
	"modernc.org/sqlite/lib"
)

// The shim is SQLite's own VFS with some of its functions replaced. SQLite is C compiled to Go: its pointers are
// uintptr, and its function pointers are pointers to what Go keeps of a function.

// handle is a file that SQLite has open on a disk.
type handle struct {
	disk  *Disk
	file  *inode
	real  *sqlite3.Tsqlite3_io_methods
	names bool // its first sync is one of the folder too
}

// shim is the one VFS of the process.
var shim struct {
	once  sync.Once
	err   error
	under uintptr // the VFS that the shim lies over

	mu      sync.Mutex
	disks   map[string]*Disk // by folder
	handles map[uintptr]*handle
	methods map[uintptr]uintptr // our tables of methods, by the real ones
}

// mount makes SQLite use the disk for its folder.
func mount(d *Disk) error {
	shim.once.Do(register)
	shim.mu.Lock()
	defer shim.mu.Unlock()
	if shim.disks[d.dir] != nil {
		return fmt.Errorf("there is a disk under %s already", d.dir)
	}
	if shim.err == nil {
		shim.disks[d.dir] = d
	}
	return shim.err
}

func unmount(d *Disk) {
	shim.mu.Lock()
	defer shim.mu.Unlock()
	delete(shim.disks, d.dir)
}

// register makes the shim SQLite's default, for every database opened from now on.
func register() {
	shim.disks, shim.handles, shim.methods = map[string]*Disk{}, map[uintptr]*handle{}, map[uintptr]uintptr{}
	tls := libc.NewTLS()
	defer tls.Close()
	shim.under = sqlite3.Xsqlite3_vfs_find(tls, 0)
	vfs := *at[sqlite3.Tsqlite3_vfs](shim.under)
	if vfs.FzName, shim.err = libc.CString("powerloss"); shim.err != nil {
		return
	}
	vfs.FpNext = 0
	vfs.FxOpen = pointer(vfsOpen)
	vfs.FxDelete = pointer(vfsDelete)
	if rc := sqlite3.Xsqlite3_vfs_register(tls, give(tls, vfs), 1); rc != sqlite3.SQLITE_OK {
		shim.err = fmt.Errorf("registering the VFS: %d", rc)
	}
}

// give puts a value where SQLite may keep a pointer to it: into C's memory, which is never moved nor collected.
func give[T any](tls *libc.TLS, v T) uintptr {
	p := libc.Xmalloc(tls, libc.Tsize_t(unsafe.Sizeof(v)))
	*at[T](p) = v
	return p
}

// at is what a pointer of SQLite points to.
func at[T any](p uintptr) *T { return *(**T)(unsafe.Pointer(&p)) }

// pointer is a function of this package as SQLite calls it. It must be no closure.
func pointer[F any](f F) uintptr { return *(*uintptr)(unsafe.Pointer(&f)) }

// function is one of SQLite's as Go calls it.
func function[F any](p uintptr) F {
	f := &struct{ p uintptr }{p}
	return *(*F)(unsafe.Pointer(&f.p))
}

// lookup is the disk and name of a path; no disk means that the file is none of ours.
func lookup(zName uintptr) (*Disk, string) {
	if zName == 0 {
		return nil, "" // a temporary file
	}
	path := filepath.FromSlash(libc.GoString(zName))
	shim.mu.Lock()
	defer shim.mu.Unlock()
	return shim.disks[filepath.Dir(path)], filepath.Base(path)
}

func vfsOpen(tls *libc.TLS, _, zName, pFile uintptr, flags int32, pOutFlags uintptr) int32 {
	under := function[func(*libc.TLS, uintptr, uintptr, uintptr, int32, uintptr) int32](at[sqlite3.Tsqlite3_vfs](shim.under).FxOpen)
	d, name := lookup(zName)
	if d == nil {
		return under(tls, shim.under, zName, pFile, flags, pOutFlags)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	methods := at[uintptr](pFile)
	*methods = 0
	file := d.live[name]
	if file == nil {
		if began, done := d.step(); !done {
			if began && flags&sqlite3.SQLITE_OPEN_CREATE != 0 {
				d.name(name, &inode{})
			}
			return sqlite3.SQLITE_CANTOPEN
		}
	}
	if d.dead {
		return sqlite3.SQLITE_CANTOPEN
	}
	if rc := under(tls, shim.under, zName, pFile, flags, pOutFlags); rc != sqlite3.SQLITE_OK {
		return rc
	}
	if file == nil {
		file = &inode{}
		// What somebody else has made before, nobody has been seen to sync.
		if data, err := os.ReadFile(filepath.Join(d.dir, name)); err == nil && len(data) > 0 {
			file.changes = []change{{0, data}}
		}
		d.name(name, file)
	}
	d.open++
	h := &handle{disk: d, file: file, real: at[sqlite3.Tsqlite3_io_methods](*methods)}
	// As SQLite's unix VFS does it.
	const synced = sqlite3.SQLITE_OPEN_WAL | sqlite3.SQLITE_OPEN_MAIN_JOURNAL | sqlite3.SQLITE_OPEN_SUPER_JOURNAL
	h.names = flags&sqlite3.SQLITE_OPEN_CREATE != 0 && flags&synced != 0
	shim.mu.Lock()
	defer shim.mu.Unlock()
	shim.handles[pFile] = h
	if shim.methods[*methods] == 0 {
		ours := *h.real
		ours.FxClose = pointer(fileClose)
		ours.FxRead = pointer(fileRead)
		ours.FxWrite = pointer(fileWrite)
		ours.FxTruncate = pointer(fileTruncate)
		ours.FxSync = pointer(fileSync)
		ours.FxFileSize = pointer(fileSize)
		shim.methods[*methods] = give(tls, ours)
	}
	*methods = shim.methods[*methods]
	return sqlite3.SQLITE_OK
}

func vfsDelete(tls *libc.TLS, _, zName uintptr, syncNames int32) int32 {
	under := function[func(*libc.TLS, uintptr, uintptr, int32) int32](at[sqlite3.Tsqlite3_vfs](shim.under).FxDelete)
	d, name := lookup(zName)
	if d == nil {
		return under(tls, shim.under, zName, syncNames)
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.live[name] == nil && !d.dead {
		return under(tls, shim.under, zName, 0)
	}
	began, done := d.step()
	if began {
		d.name(name, nil)
	}
	if !done {
		return sqlite3.SQLITE_IOERR_DELETE
	}
	rc := under(tls, shim.under, zName, 0)
	if syncNames&1 != 0 {
		d.syncNames()
	}
	return rc
}

// take finds an open file and holds its disk.
func take(pFile uintptr) (h *handle, release func()) {
	shim.mu.Lock()
	h = shim.handles[pFile]
	shim.mu.Unlock()
	h.disk.mu.Lock()
	return h, h.disk.mu.Unlock
}

func fileClose(tls *libc.TLS, pFile uintptr) int32 {
	h, release := take(pFile)
	defer release()
	shim.mu.Lock()
	delete(shim.handles, pFile)
	shim.mu.Unlock()
	h.disk.open--
	return function[func(*libc.TLS, uintptr) int32](h.real.FxClose)(tls, pFile)
}

func fileRead(tls *libc.TLS, pFile, buffer uintptr, n int32, offset int64) int32 {
	h, release := take(pFile)
	defer release()
	if h.disk.dead {
		return sqlite3.SQLITE_IOERR_READ
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](h.real.FxRead)(tls, pFile, buffer, n, offset)
}

func fileSize(tls *libc.TLS, pFile, size uintptr) int32 {
	h, release := take(pFile)
	defer release()
	if h.disk.dead {
		return sqlite3.SQLITE_IOERR_FSTAT
	}
	return function[func(*libc.TLS, uintptr, uintptr) int32](h.real.FxFileSize)(tls, pFile, size)
}

func fileWrite(tls *libc.TLS, pFile, buffer uintptr, n int32, offset int64) int32 {
	h, release := take(pFile)
	defer release()
	began, done := h.disk.step()
	if began {
		data := append([]byte{}, unsafe.Slice(at[byte](buffer), n)...)
		h.file.changes = append(h.file.changes, change{offset, data})
	}
	if !done {
		return sqlite3.SQLITE_IOERR_WRITE
	}
	return function[func(*libc.TLS, uintptr, uintptr, int32, int64) int32](h.real.FxWrite)(tls, pFile, buffer, n, offset)
}

func fileTruncate(tls *libc.TLS, pFile uintptr, size int64) int32 {
	h, release := take(pFile)
	defer release()
	began, done := h.disk.step()
	if began {
		h.file.changes = append(h.file.changes, change{offset: size})
	}
	if !done {
		return sqlite3.SQLITE_IOERR_TRUNCATE
	}
	return function[func(*libc.TLS, uintptr, int64) int32](h.real.FxTruncate)(tls, pFile, size)
}

// fileSync does not pass the sync on: what is tested is what the disk promises, and promising costs no time.
func fileSync(_ *libc.TLS, pFile uintptr, _ int32) int32 {
	h, release := take(pFile)
	defer release()
	if _, done := h.disk.step(); !done {
		return sqlite3.SQLITE_IOERR_FSYNC
	}
	if h.disk.kind != Lying {
		h.file.sync()
	}
	if h.names {
		h.disk.syncNames()
		h.names = false
	}
	return sqlite3.SQLITE_OK
}
