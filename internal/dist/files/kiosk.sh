#!/bin/sh
# The terminal's page in Chromium, full screen under cage: a Wayland compositor that shows one program and nothing else, so
# that nobody gets out of the page, and that needs neither an X server nor a window manager nor rights of root.
set -eu

missing() {
	echo "<3>falta o $1, para o quiosque: sudo apt install $1" >&2
	exit 78
}

if [ "${1-}" != browser ]; then
	command -v cage >/dev/null || missing cage
	command -v Xwayland >/dev/null || missing xwayland # nothing here uses it, but cage does not start without
	# -s: Ctrl+Alt+F2 still leads the technician to a console.
	exec cage -s -- "$0" browser
fi

browser=
for name in chromium chromium-browser google-chrome; do
	if command -v "$name" >/dev/null; then
		browser=$name
		break
	fi
done
[ -n "$browser" ] || missing chromium

# A browser that finds nobody at home stays on its own error page.
until systemctl --quiet is-active maquininha.service; do
	sleep 1
done

# The options of /etc/default are words, so they are split.
# shellcheck disable=SC2086
exec "$browser" --kiosk --ozone-platform=wayland --user-data-dir="${STATE_DIRECTORY:-/var/lib/maquininha-kiosk}/browser" \
	--lang=pt-BR --no-first-run --no-default-browser-check --noerrdialogs --disable-session-crashed-bubble --hide-crash-restore-bubble \
	--disable-features=Translate --disable-pinch --overscroll-history-navigation=0 --password-store=basic \
	${MAQUININHA_KIOSK_OPTIONS-} "${MAQUININHA_KIOSK_URL:-http://127.0.0.1:9051/?kiosk}"
