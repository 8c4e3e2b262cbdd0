#!/bin/sh
set -e
if [ -d /run/openrc ]; then
	rc-service --quiet --ifstarted @NAME@ stop || true
fi
rc-update --quiet del @NAME@ default || true
