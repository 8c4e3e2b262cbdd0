#!/bin/sh
# The program for Windows that has this script's name, as if it were one of this system.
here=$(dirname "$(readlink -f "$0")")
exec "$here/wine" "$here/$(basename "$0").exe" "$@"
