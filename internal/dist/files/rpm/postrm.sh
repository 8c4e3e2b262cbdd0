#!/bin/sh
set -e
if [ -d /run/systemd/system ]; then
	systemctl daemon-reload || true
fi
if [ "$1" = 0 ]; then
	echo "@NAME@: @KEPT@ continuam em /var/lib/@NAME@"
fi
