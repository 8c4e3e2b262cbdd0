#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
case "$1" in
remove)
	echo "maquininha: vendas, transações e logs continuam em /var/lib/maquininha; apt purge maquininha os apaga"
	;;
purge)
	rm -rf /var/lib/maquininha /var/lib/maquininha-kiosk
	rmdir /etc/maquininha 2>/dev/null || true
	if command -v deb-systemd-helper >/dev/null; then
		deb-systemd-helper purge maquininha.service maquininha-kiosk.service >/dev/null || true
	fi
	for name in maquininha maquininha-kiosk; do
		if getent passwd "$name" >/dev/null; then
			userdel "$name" || true
		fi
	done
	echo "maquininha: vendas, transações e logs foram apagados de /var/lib/maquininha"
	;;
esac
