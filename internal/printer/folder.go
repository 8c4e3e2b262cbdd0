package printer

import (
	"bufio"
	"cmp"
	"fmt"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/maquininha/maquininha/internal/printing"
	"github.com/maquininha/maquininha/internal/receipt"
)

// The virtual printer's folder: pictures named after their jobs, like
// 000012_xml_20261115T143005.250Z_576x1840.png.

const (
	temporaryPrefix = "printing-"
	fileTime        = "20060102T150405.000Z"
)

var filePattern = regexp.MustCompile(`^(\d+)_([a-z]*)_(\d{8}T\d{6}\.\d{3}Z)_(\d+)x(\d+)\.png$`)

func fileName(job printing.Printed) string {
	return fmt.Sprintf("%06d_%s_%s_%dx%d.png", job.N, job.Kind, job.CreatedAt.Format(fileTime), job.Width, job.Height)
}

// parseFileName is the job of a file; false for one that is none of ours.
func parseFileName(name string) (printing.Printed, bool) {
	m := filePattern.FindStringSubmatch(name)
	if m == nil {
		return printing.Printed{}, false
	}
	n, errN := strconv.Atoi(m[1])
	at, errAt := time.Parse(fileTime, m[3])
	width, errW := strconv.Atoi(m[4])
	height, errH := strconv.Atoi(m[5])
	job := printing.Printed{N: n, Kind: printing.Kind(m[2]), CreatedAt: at, Width: width, Height: height}
	return job, n > 0 && cmp.Or(errN, errAt, errW, errH) == nil
}

// readFolder lists a folder's jobs, oldest first, and clears away what an
// interrupted print left behind.
func readFolder(dir string) ([]printing.Printed, error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	var jobs []printing.Printed
	for _, file := range files {
		if strings.HasPrefix(file.Name(), temporaryPrefix) {
			_ = os.Remove(filepath.Join(dir, file.Name()))
		}
		if job, ok := parseFileName(file.Name()); ok {
			jobs = append(jobs, job)
		}
	}
	slices.SortFunc(jobs, func(a, b printing.Printed) int { return cmp.Compare(a.N, b.N) })
	return jobs, nil
}

// writePicture writes paper to a file under a name of the moment, which the
// caller gives its own once the job counts: a picture is there whole or not.
func writePicture(dir string, paper *receipt.Bitmap) (path string, err error) {
	file, err := os.CreateTemp(dir, temporaryPrefix+"*.png")
	if err != nil {
		return "", err
	}
	defer func() {
		if err != nil {
			_ = os.Remove(file.Name())
		}
	}()
	defer file.Close()
	out := bufio.NewWriter(file)
	if err := png.Encode(out, paper.Image()); err != nil {
		return "", err
	}
	if err := out.Flush(); err != nil {
		return "", err
	}
	if err := file.Sync(); err != nil {
		return "", err
	}
	return file.Name(), file.Close()
}
