#!/bin/sh
set -e
# What somebody has stopped stays so.
if [ -d /run/openrc ] && rc-service --quiet @NAME@ status >/dev/null; then
	rc-service --quiet @NAME@ restart || echo "@NAME@: o serviço não iniciou; veja: rc-service @NAME@ status" >&2
fi
