#!/bin/sh
set -e
echo "@NAME@: @KEPT@ continuam em /var/lib/@NAME@"
