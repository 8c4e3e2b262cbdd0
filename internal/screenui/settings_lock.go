package screenui

import (
	"crypto/rand"
	"math"
	"net/http"
	"sync"
	"time"
)

const (
	lockCookie   = "maquininha_settings"
	unlockedFor  = 5 * time.Minute  // from the last use
	wrongAllowed = 5                // in a row, before each next try must wait
	wrongWait    = 30 * time.Second // between tries from then on
	maxUnlocked  = 32
)

// settingsLock remembers who has typed the PIN, and makes guessing slow. The zero value is locked.
type settingsLock struct {
	trying sync.Mutex // PINs are tried one after another, so that each failure delays the next

	mu      sync.Mutex
	open    map[string]time.Time // by token, until when
	wrong   int                  // in a row
	nextTry time.Time
}

// exclusively runs what must not run twice at once.
func (l *settingsLock) exclusively(fn func() error) error {
	l.trying.Lock()
	defer l.trying.Unlock()
	return fn()
}

// isOpen tells whether the request comes from somebody who typed the PIN, and if so lets them stay longer.
func (l *settingsLock) isOpen(r *http.Request) bool {
	cookie, err := r.Cookie(lockCookie)
	if err != nil {
		return false
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	until, ok := l.open[cookie.Value]
	if !ok || !time.Now().Before(until) {
		delete(l.open, cookie.Value)
		return false
	}
	l.open[cookie.Value] = time.Now().Add(unlockedFor)
	return true
}

// admit gives the browser a token; a script of the page can't read it.
func (l *settingsLock) admit(w http.ResponseWriter) {
	token := rand.Text()
	l.mu.Lock()
	defer l.mu.Unlock()
	now := time.Now()
	for old, until := range l.open {
		if len(l.open) >= maxUnlocked || !now.Before(until) {
			delete(l.open, old)
		}
	}
	if l.open == nil {
		l.open = map[string]time.Time{}
	}
	l.open[token] = now.Add(unlockedFor)
	l.wrong = 0
	http.SetCookie(w, &http.Cookie{Name: lockCookie, Value: token, Path: "/settings", HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

// mayTry returns how long to wait before the next PIN.
func (l *settingsLock) mayTry() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(0, time.Until(l.nextTry))
}

func (l *settingsLock) failed() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.wrong++; l.wrong < wrongAllowed {
		return 0
	}
	l.nextTry = time.Now().Add(wrongWait)
	return wrongWait
}

func (l *settingsLock) close(w http.ResponseWriter, r *http.Request) {
	if cookie, err := r.Cookie(lockCookie); err == nil {
		l.mu.Lock()
		delete(l.open, cookie.Value)
		l.mu.Unlock()
	}
	http.SetCookie(w, &http.Cookie{Name: lockCookie, Path: "/settings", MaxAge: -1, HttpOnly: true, SameSite: http.SameSiteStrictMode})
}

type pinBody struct {
	PIN *string `json:"pin"`
}

func (d *settingsDesk) unlock(w http.ResponseWriter, r *http.Request) (any, error) {
	b, err := readSettings[pinBody](w, r)
	if err != nil {
		return nil, err
	}
	if !d.Setup().PIN {
		return nil, errNoPIN
	}
	return nil, d.lock.exclusively(func() error {
		if wait := d.lock.mayTry(); wait > 0 {
			return tooMany(wait)
		}
		if b.PIN == nil || !d.Unlocks(*b.PIN) {
			if wait := d.lock.failed(); wait > 0 {
				return tooMany(wait)
			}
			return Refusal{Field: "pin", Message: "PIN incorreto"}
		}
		d.lock.admit(w)
		return nil
	})
}

func tooMany(wait time.Duration) error {
	return failure{status: http.StatusTooManyRequests, Message: "Muitas tentativas; aguarde", Seconds: int(math.Ceil(wait.Seconds()))}
}

func (d *settingsDesk) relock(w http.ResponseWriter, r *http.Request) (any, error) {
	d.lock.close(w, r)
	return nil, nil
}

// choosePIN is for who left the first start for later: the settings ask for a PIN before anything else.
func (d *settingsDesk) choosePIN(w http.ResponseWriter, r *http.Request) (any, error) {
	b, err := readSettings[pinBody](w, r)
	if err != nil {
		return nil, err
	}
	if b.PIN == nil {
		return nil, Refusal{Field: "pin", Message: "Escolha um PIN"}
	}
	return nil, d.lock.exclusively(func() error {
		if d.Setup().PIN {
			return errPINSet
		}
		if err := d.Change(Change{PIN: b.PIN}); err != nil {
			return err
		}
		d.lock.admit(w)
		return nil
	})
}
