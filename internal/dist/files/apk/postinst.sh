#!/bin/sh
set -e
# It may hold secrets, so only the service reads it. An owner that somebody has chosen stays.
config=@CONFIG@
if [ -f "$config" ] && [ "$(stat -c %U "$config")" = root ]; then
	chown @NAME@:@NAME@ "$config"
fi
rc-update --quiet add @NAME@ default || true
# In a container or an image that is being made there is nothing to start.
if [ -d /run/openrc ] && ! rc-service --quiet @NAME@ start; then
	echo "@NAME@: o serviço não iniciou; veja: rc-service @NAME@ status" >&2
fi
echo "@NAME@: @WHERE@"
echo "@NAME@: @PASSWORD@: veja /usr/share/doc/@NAME@/LEIA-ME"
echo "@NAME@: configuração em $config; confira com: @NAME@ check"
