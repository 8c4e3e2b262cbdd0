#!/bin/sh
# Installs what parts of the tests need of the system and is not there, all with one order to the system's package manager, which takes one at a
# time: tools/packages.sh browser database. It needs apt-get, and root. Without some of it tests say what they miss; without the rest this fails.
set -eu

must='' may=''
# need COMMAND PACKAGES...
need() { command -v "$1" >/dev/null 2>&1 || { shift; must="$must $*"; }; }
want() { command -v "$1" >/dev/null 2>&1 || { shift; may="$may $*"; }; }
PATH=$PATH:/usr/sbin:/sbin # where servers are

for part; do
  case $part in
  browser) # The pages are tested in a real browser, nearly all of it without the windows, which take a quarter of its time: 180 MB to download.
    command -v google-chrome >/dev/null 2>&1 || need chromium chromium # either will do for all of it
    want chromium-headless-shell chromium-headless-shell ;;
  compiler) # The race detector needs cgo and a C compiler.
    need cc gcc libc6-dev ;;
  database) # The hub's store is tested with a PostgreSQL of its own: 18 MB.
    ls /usr/lib/postgresql/*/bin/initdb >/dev/null 2>&1 || want initdb postgresql ;;
  languages) # The clients and examples in other languages are run: Node 12 MB, PHP 3 MB, Free Pascal 26 MB (230 MB on the disk).
    # There is no .NET in Debian: the example in C# runs where there is one.
    need curl curl
    need node nodejs
    need python3 python3
    need php php-cli
    need fpc fp-compiler fp-units-fcl fp-units-net ;;
  machines) # What runs the packages: a service manager, which most systems have, and rpm (3 MB).
    want systemd-analyze systemd
    want rpm rpm ;;
  network) # Terminals find each other between network namespaces.
    need ip iproute2 ;;
  nsis) # What makes the installer for Windows: 2 MB.
    need makensis nsis ;;
  pictures) # What makes the pictures of the guide small.
    need zopflipng zopfli ;;
  printservers) # Installed printers are tested with a print server of the tests' own: 23 MB.
    want cupsd cups-daemon cups cups-client ;;
  processor) # What runs the programs for another processor: 12 MB.
    want qemu-aarch64 qemu-user ;;
  proxies) # A hub may stand behind a reverse proxy: the tests start their own.
    need nginx nginx-light ;;
  wine) # A machine of Windows: 162 MB (a gigabyte on the disk).
    need wine wine wine64
    need x86_64-w64-mingw32-gcc gcc-mingw-w64-x86-64-win32 ;;
  *)
    echo "$0: no part of the tests is called $part" >&2
    exit 2 ;;
  esac
done

[ -n "$must$may" ] || exit 0
apt-get update || echo "the lists of packages are as old as they were" >&2
install() { apt-get install -y --no-install-recommends "$@"; }
# shellcheck disable=SC2086 # they are words
install $must $may || { # one that can't be had must not keep the others away
  [ -z "$must" ] || install $must
  [ -z "$may" ] || install $may || echo "not installed:$may; the tests that need them say so"
}
