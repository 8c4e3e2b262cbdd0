#!/bin/sh
set -e
for name in @USERS@; do
	if ! getent passwd "$name" >/dev/null; then
		useradd --system --user-group --no-create-home --home-dir "/var/lib/$name" --shell /sbin/nologin "$name"
	fi
done

# It may hold secrets, so only the service reads it. An owner that somebody has chosen stays.
config=@CONFIG@
if [ -f "$config" ] && [ "$(stat -c %U "$config")" = root ]; then
	chown @NAME@: "$config"
fi

# At an upgrade what somebody has disabled stays so.
if [ "$1" = 1 ]; then
	systemctl --quiet enable @NAME@.service || true
fi
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	if systemctl --quiet is-enabled @NAME@.service && ! systemctl restart @NAME@.service; then
		# One that can't start yet is no broken package: it is tried again by itself.
		echo "@NAME@: o serviço não iniciou; veja: journalctl -u @NAME@ -n 20" >&2
	fi
fi

if [ "$1" = 1 ]; then
	echo "@NAME@: @WHERE@"
	echo "@NAME@: @PASSWORD@: sudo @NAME@ service password"
	echo "@NAME@: configuração em $config; confira com: sudo @NAME@ check"
fi
