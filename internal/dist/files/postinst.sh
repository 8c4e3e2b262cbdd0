#!/bin/sh
set -e
[ "$1" = configure ] || exit 0

for name in maquininha maquininha-kiosk; do
	if ! getent passwd "$name" >/dev/null; then
		useradd --system --user-group --no-create-home --home-dir "/var/lib/$name" --shell /usr/sbin/nologin "$name"
	fi
done

# It may hold secrets, so only the service reads it. An owner that somebody has chosen stays.
config=/etc/maquininha/maquininha.toml
if [ -f "$config" ] && [ "$(stat -c %U "$config")" = root ]; then
	chown maquininha: "$config"
fi

if deb-systemd-helper --quiet was-enabled maquininha.service; then
	deb-systemd-helper enable maquininha.service >/dev/null
fi
deb-systemd-helper update-state maquininha.service maquininha-kiosk.service >/dev/null

if [ -d /run/systemd/system ]; then
	systemctl daemon-reload
	# At an upgrade, too; and what was removed and is installed again starts. What somebody has disabled stays so.
	if ! deb-systemd-invoke restart maquininha.service >/dev/null; then
		# A terminal that can't start yet is no broken package: it is tried again by itself.
		echo "maquininha: o serviço não iniciou; veja: journalctl -u maquininha -n 20" >&2
	fi
fi

if [ -z "$2" ]; then
	echo "maquininha: documentação em http://localhost:9050/docs, tela em http://127.0.0.1:9051"
	echo "maquininha: senha dos chamadores: sudo maquininha service password"
	echo "maquininha: configuração em $config; confira com: sudo maquininha check"
fi
