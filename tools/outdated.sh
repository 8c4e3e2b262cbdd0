#!/bin/sh
# Says which Go modules are behind: first those that the project names itself and the modules of its tools, then what comes with these. It says of
# which it could not learn anything, and fails where nobody could be asked.
set -eu
[ "$(go env GOPROXY)" != off ] || {
  echo "GOPROXY is off: nobody can be asked what is new" >&2
  exit 1
}

# A line a module: KIND PATH…; nothing of the project's own, which are not published.
all='{{if or .Main (and .Replace (not .Replace.Version))}}
{{- else if .Error}}unknown {{.Path}}
{{- else if .Update}}{{if .Indirect}}indirect{{else}}direct{{end}} {{.Path}} {{.Version}} → {{.Update.Version}}{{end}}'

found=$(go list -m -u -e -f "$all" all && go -C tools list -m -u -e -f "$all" all)
# shellcheck disable=SC2046 # a path has no blanks
tools=$(go -C tools list -m -u -e -f "$all" $(go -C tools list -e -f '{{with .Module}}{{.Path}}{{end}}' tool) | sed 's/^indirect /direct /')

# of KIND
of() { printf '%s\n%s\n' "$tools" "$found" | sed -n "s/^$1 //p" | sort -u; }
# show HEADING LINES
show() { [ -z "$2" ] || printf '%s\n%s\n\n' "$1" "$2"; }
direct=$(of direct)
indirect=$(of indirect | grep -vxF -e "$direct" || true)
unknown=$(of unknown)
show "Named by go.mod, or a tool's:" "$direct"
show "What comes with them:" "$indirect"
show "Nothing could be learned of:" "$unknown"
[ -n "$direct$indirect" ] || {
  [ -z "$unknown" ] || exit 1
  echo "nothing is behind"
}
