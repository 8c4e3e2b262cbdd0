#!/bin/sh
# Runs a program of Windows, in the machine of WINEPREFIX or in the one beside this script. What is started is the program itself, under
# the number that the caller sees: it can be killed.
here=$(dirname "$(readlink -f "$0")")
export WINEPREFIX="${WINEPREFIX:-$here/prefix}" WINEDEBUG="${WINEDEBUG:--all}" WINEDLLOVERRIDES="mscoree,mshtml="
unset DISPLAY WAYLAND_DISPLAY
for wine in /usr/lib/wine/wine64 wine64 wine; do
	command -v "$wine" >/dev/null 2>&1 && exec "$wine" "$@"
done
echo "wine is missing: make wine" >&2
exit 127
