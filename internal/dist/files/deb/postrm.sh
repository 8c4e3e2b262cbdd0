#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
case "$1" in
remove)
	echo "@NAME@: @KEPT@ continuam em /var/lib/@NAME@; apt purge @NAME@ os apaga"
	;;
purge)
	rmdir /etc/@NAME@ 2>/dev/null || true
	if command -v deb-systemd-helper >/dev/null; then
		deb-systemd-helper purge @UNITS@ >/dev/null || true
	fi
	for name in @USERS@; do
		rm -rf "/var/lib/$name"
		if getent passwd "$name" >/dev/null; then
			userdel "$name" || true
		fi
	done
	echo "@NAME@: @KEPT@ foram apagados de /var/lib/@NAME@"
	;;
esac
