#!/bin/sh
set -e
# A unit that "maquininha service install" has written would hide the package's own.
if [ "$1" = install ] && [ -f /etc/systemd/system/maquininha.service ]; then
	echo "maquininha: já há um serviço instalado à mão; antes rode: sudo maquininha service uninstall" >&2
	exit 1
fi
