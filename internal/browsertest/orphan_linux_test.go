package browsertest

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/systeminfo"

	"github.com/maquininha/maquininha/internal/waittest"
)

const childOfTest = "MAQUININHA_TEST_BROWSER_CHILD"

// Tests that are killed take their browser with them.
func TestBrowsersDieWithTheirTests(t *testing.T) {
	if os.Getenv(childOfTest) != "" {
		page := Start(t)
		processes, err := systeminfo.GetProcessInfo().Do(inBrowser(page))
		if err != nil {
			t.Fatal(err)
		}
		for _, p := range processes {
			if p.Type == "browser" {
				fmt.Println("browser", p.ID)
			}
		}
		select {} // until it is killed
	}
	find(t, windowless)
	tests := exec.CommandContext(context.Background(), os.Args[0], "-test.run=^"+t.Name()+"$", "-test.v")
	tests.Env = append(os.Environ(), childOfTest+"=1")
	out, err := tests.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := tests.Start(); err != nil {
		t.Fatal(err)
	}
	defer tests.Wait() //nolint:errcheck // it is killed
	defer tests.Process.Kill()
	browser := 0
	for lines := bufio.NewScanner(out); browser == 0 && lines.Scan(); {
		if _, pid, ok := strings.Cut(lines.Text(), "browser "); ok {
			browser, _ = strconv.Atoi(pid)
		}
	}
	if browser == 0 {
		t.Fatal("the browser did not start")
	}
	if err := tests.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	waittest.Until(t, "the browser is gone", func() bool {
		_, err := os.Stat(fmt.Sprintf("/proc/%d/exe", browser))
		return err != nil
	})
}
