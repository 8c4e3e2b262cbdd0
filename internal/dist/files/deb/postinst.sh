#!/bin/sh
set -e
[ "$1" = configure ] || exit 0

for name in @USERS@; do
	if ! getent passwd "$name" >/dev/null; then
		useradd --system --user-group --no-create-home --home-dir "/var/lib/$name" --shell /usr/sbin/nologin "$name"
	fi
done

# It may hold secrets, so only the service reads it. An owner that somebody has chosen stays.
config=@CONFIG@
if [ -f "$config" ] && [ "$(stat -c %U "$config")" = root ]; then
	chown @NAME@: "$config"
fi

if deb-systemd-helper --quiet was-enabled @NAME@.service; then
	deb-systemd-helper enable @NAME@.service >/dev/null
fi
deb-systemd-helper update-state @UNITS@ >/dev/null

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	# At an upgrade, too; and what was removed and is installed again starts. What somebody has disabled stays so.
	if ! deb-systemd-invoke restart @NAME@.service >/dev/null; then
		# One that can't start yet is no broken package: it is tried again by itself.
		echo "@NAME@: o serviço não iniciou; veja: journalctl -u @NAME@ -n 20" >&2
	fi
fi

if [ -z "$2" ]; then
	echo "@NAME@: @WHERE@"
	echo "@NAME@: @PASSWORD@: sudo @NAME@ service password"
	echo "@NAME@: configuração em $config; confira com: sudo @NAME@ check"
fi
