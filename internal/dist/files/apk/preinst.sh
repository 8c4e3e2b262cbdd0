#!/bin/sh
set -e
for name in @USER@; do
	getent group "$name" >/dev/null || addgroup -S "$name"
	getent passwd "$name" >/dev/null || adduser -S -D -H -h "/var/lib/$name" -s /sbin/nologin -G "$name" "$name"
	for group in @GROUPS@; do
		if getent group "$group" >/dev/null; then
			addgroup "$name" "$group"
		fi
	done
done
