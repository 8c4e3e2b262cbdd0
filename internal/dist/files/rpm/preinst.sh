#!/bin/sh
set -e
# A unit that "@NAME@ service install" has written would hide the package's own.
if [ "$1" = 1 ] && [ -f /etc/systemd/system/@NAME@.service ]; then
	echo "@NAME@: já há um serviço instalado à mão; antes rode: sudo @NAME@ service uninstall" >&2
	exit 1
fi
