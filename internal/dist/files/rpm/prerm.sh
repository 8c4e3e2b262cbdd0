#!/bin/sh
set -e
# 0: it goes; 1: another version has come.
if [ "$1" = 0 ]; then
	systemctl --quiet disable @UNITS@ || true
	if [ -d /run/systemd/system ]; then
		systemctl --quiet stop @UNITS@ || true
	fi
fi
