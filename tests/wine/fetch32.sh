#!/bin/sh
# tests/wine/fetch32.sh FOLDER: fetches the Wine libraries for 32-bit programs, as FOLDER/i386-windows.  They are in Debian's package for
# i386, in the version installed here, which comes from this machine's own package source.  It installs nothing, changes nothing in the
# system, and needs no rights.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/fetch.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/lists/partial" "$work/cache/archives/partial"
: >"$work/status"
cat >"$work/apt.conf" <<END
APT::Architecture "i386";
APT::Architectures { "i386"; };
Dir::State::Lists "$work/lists";
Dir::State::status "$work/status";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
END
cd "$work"
export APT_CONFIG="$work/apt.conf"
apt-get -qq update || echo "tests/wine/fetch32.sh: some lists of packages could not be read" >&2
apt-get -qq download "libwine=$(dpkg-query -W -f '${Version}' libwine:amd64)"
dpkg --fsys-tarfile libwine_*.deb | tar -x --wildcards --strip-components=5 \
	'*/i386-windows/ntdll.dll' '*/i386-windows/kernel32.dll' '*/i386-windows/kernelbase.dll' '*/i386-windows/msvcrt.dll'
mv i386-windows "$folder"
touch "$folder/ready"
