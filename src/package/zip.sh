#!/bin/sh
# src/package/zip.sh FOLDER ZIP: the files of a folder as a zip, byte for byte the same whoever makes it, and when.
set -eu
case $2 in /*) zip=$2 ;; *) zip=$PWD/$2 ;; esac
rm -f "$zip"
cd "$1"
find . -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315532800}" {} + # by default the first day that a zip can have
find . -type f | sed 's,^\./,,' | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$zip" -@
