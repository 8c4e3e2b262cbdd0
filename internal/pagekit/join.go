package pagekit

import (
	"bytes"
	"errors"
	"fmt"
	"path"
	"regexp"
	"strings"
)

// A page of eighty modules is eighty questions of a browser: it is there sooner as one script and one style sheet. The files stay apart
// where people read them, and nothing is built: joining is a matter of lines. Each module becomes a function that runs once, in the order
// of the imports, and gives what it exports; libraries, which are imported by a bare name, stay modules of their own.

// What a line of ours that imports or exports looks like; there are no others.
var (
	importing = regexp.MustCompile(`^import \{ (.+) \} from "(\..+)";`)
	library   = regexp.MustCompile(`^import .+ from "\w.*";`)
	declaring = regexp.MustCompile(`^export ((?:async )?function|class|const) (\w+)`)
	naming    = regexp.MustCompile(`^export \{ (.+) \};`)
	links     = regexp.MustCompile(`<link rel="stylesheet" href="([^"]+)">\s*`)
	script    = regexp.MustCompile(`<script type="module" src="([^"]+)">`)
)

// joining is a script under way.
type joining struct {
	files     map[string]asset
	names     map[string]string // what a module is called in the script; not yet, while those are added that it imports
	done      int
	libraries bytes.Buffer
	modules   bytes.Buffer
}

// joinScript is a module and all that it imports as one. It fails on what does not stand in one line, on modules that import each other
// in a circle, and on a file that is missing.
func joinScript(files map[string]asset, first string) ([]byte, error) {
	j := joining{files: files, names: map[string]string{}}
	if _, err := j.module(first); err != nil {
		return nil, err
	}
	return append(j.libraries.Bytes(), j.modules.Bytes()...), nil
}

// module adds one after those that it imports, unless it is there, and says what it is called.
func (j *joining) module(file string) (string, error) {
	if name, ok := j.names[file]; ok {
		if name == "" {
			return "", fmt.Errorf("%s imports itself, by way of others", file)
		}
		return name, nil
	}
	if _, ok := j.files[file]; !ok {
		return "", fmt.Errorf("there is no %s", file)
	}
	j.names[file] = ""
	var body bytes.Buffer
	var exported []string
	for line := range strings.Lines(string(j.files[file].text)) {
		switch {
		case importing.MatchString(line):
			found := importing.FindStringSubmatch(line)
			from, err := j.module(path.Join(path.Dir(file), found[2]))
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&body, "const { %s } = %s;\n", strings.ReplaceAll(found[1], " as ", ": "), from)
		case library.MatchString(line):
			j.libraries.WriteString(line)
		case declaring.MatchString(line):
			exported = append(exported, declaring.FindStringSubmatch(line)[2])
			body.WriteString(strings.TrimPrefix(line, "export "))
		case naming.MatchString(line):
			exported = append(exported, naming.FindStringSubmatch(line)[1])
		case strings.HasPrefix(line, "import "), strings.HasPrefix(line, "export "):
			return "", fmt.Errorf("%s: this can't be joined: %s", file, line)
		default:
			body.WriteString(line)
		}
	}
	j.done++
	name := fmt.Sprintf("$%d", j.done)
	j.names[file] = name
	fmt.Fprintf(&j.modules, "\n// %s\nconst %s = (() => {\n%s\nreturn { %s };\n})();\n", file, name, body.Bytes(), strings.Join(exported, ", "))
	return name, nil
}

// join has the page name one style sheet and one script instead of many.
func (p *Page) join() error {
	if _, ok := p.files["/index.html"]; !ok {
		return errors.New("there is no /index.html")
	}
	index := string(p.files["/index.html"].text)
	if found := script.FindStringSubmatch(index); found != nil {
		text, err := joinScript(p.files, found[1])
		if err != nil {
			return err
		}
		p.add(found[1], text)
	}
	if sheets := links.FindAllStringSubmatch(index, -1); sheets != nil {
		var all bytes.Buffer
		for _, sheet := range sheets {
			file, ok := p.files[sheet[1]]
			if !ok {
				return fmt.Errorf("there is no %s", sheet[1])
			}
			all.Write(file.text)
		}
		const joined = "/css/page.css"
		p.add(joined, all.Bytes())
		index = strings.Replace(index, sheets[0][0], `<link rel="stylesheet" href="`+joined+`">`+"\n  ", 1)
		for _, sheet := range sheets[1:] {
			index = strings.Replace(index, sheet[0], "", 1)
		}
	}
	p.add("/index.html", []byte(index))
	return nil
}
