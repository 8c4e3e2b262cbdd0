#!/bin/sh
set -e
if [ "$1" = remove ] && [ -d /run/systemd/system ]; then
	deb-systemd-invoke stop maquininha-kiosk.service maquininha.service >/dev/null || true
fi
