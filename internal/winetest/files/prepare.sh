#!/bin/sh
# Makes a machine of Windows out of Wine, in the folder named: FOLDER/wine runs programs in it, and FOLDER/overlay.json is for tests that
# are compiled for Windows. FOLDER/maquininha runs maquininha.exe, which others put there, and FOLDER/mortal its like. What is there already stays; a machine counts as made once its last file is there.
set -e
files=$(cd "$(dirname "$0")" && pwd)
mkdir -p "$1"
folder=$(cd "$1" && pwd)
cp "$files/wine.sh" "$folder/wine"
for program in maquininha mortal; do
	cp "$files/program.sh" "$folder/$program"
done
chmod +x "$folder/wine" "$folder/maquininha" "$folder/mortal"

# Go deletes by a call that this Wine does not know, and by the older one only where the system says so in words that Wine does not use.
# What ships is not built with this: it is for the folders of tests.
source=$(go env GOROOT)/src/internal/syscall/windows/at_windows.go
sed 's/case STATUS_INVALID_INFO_CLASS,/case NTStatus(0xC0000002), STATUS_INVALID_INFO_CLASS,/' "$source" >"$folder/at_windows.go.txt"
if cmp -s "$source" "$folder/at_windows.go.txt"; then
	echo "$source is not as expected: tests for Windows can't delete their folders" >&2
	exit 1
fi
printf '{"Replace": {"%s": "%s"}}\n' "$source" "$folder/at_windows.go.txt" >"$folder/overlay.json"

# What goes through the installer's pages.
x86_64-w64-mingw32-gcc -municode -Os -s -o "$folder/pages.exe" "$files/pages.c"

made=$folder/prefix/drive_c/windows/system32/bcryptprimitives.dll
[ -f "$made" ] && exit
echo "making a machine of Windows in $folder"
rm -rf "$folder/prefix"
export WINEPREFIX="$folder/prefix"
"$folder/wine" wineboot --init >/dev/null 2>&1
"$folder/wine" wineboot --shutdown >/dev/null 2>&1
[ -d "$(dirname "$made")" ] || { echo "wine made no machine in $WINEPREFIX" >&2; exit 1; }
x86_64-w64-mingw32-gcc -shared -Os -s -o "$made.new" "$files/bcryptprimitives.c" -ladvapi32
mv "$made.new" "$made"
