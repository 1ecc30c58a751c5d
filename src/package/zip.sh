#!/bin/sh
# zip.sh FOLDER ZIP: packs the files of a folder into a zip file, whose bytes depend on the files alone, not on the time or the user.
set -eu
case $2 in /*) zip=$2 ;; *) zip=$PWD/$2 ;; esac
rm -f "$zip"
cd "$1"
find . -exec touch -h -d "@${SOURCE_DATE_EPOCH:-315532800}" {} + # by default, the first day that a zip file can express
find . -type f | sed 's,^\./,,' | LC_ALL=C sort | TZ=UTC zip -q -X -9 "$zip" -@
