#!/bin/sh
# Debian package of the command and the library: deb.sh BUILD VERSION.  What `make install`
# puts under BUILD/deb/fpmove becomes BUILD/fpmove_VERSION_ARCH.deb.
set -eu
build=$1 version=$2
maintainer="${DEBFULLNAME:-fpmove maintainers} <${DEBEMAIL:-fpmove@packages.example.org}>"
here=$(cd "$(dirname "$0")" && pwd)
root=$build/deb/fpmove
arch=$(dpkg --print-architecture)
doc=$root/usr/share/doc/fpmove
umask 022
mkdir -p "$doc" "$root/DEBIAN"

strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/fpmove" "$root"/usr/lib/*/libfpmove.so.*.*
strip --strip-debug "$root"/usr/lib/*/libfpmove.a
for page in "$root"/usr/share/man/man?/*; do gzip -9n "$page"; done
{
	echo 'Format: https://www.debian.org/doc/packaging-manuals/copyright-format/1.0/'
	echo 'Upstream-Name: fpmove'
	echo
	echo 'Files: *'
	sed -n 's/^Copyright (c) /Copyright: /p' "$here/../../LICENSE"
	echo 'License: Expat'
	sed -e '1,/^Copyright/d' -e '/./!d' -e 's/^/ /' "$here/../../LICENSE"
} >"$doc/copyright"
{
	echo "fpmove ($version-1) unstable; urgency=medium"
	echo
	echo "  * Version $version."
	echo
	echo " -- $maintainer  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")"
} | gzip -9n >"$doc/changelog.Debian.gz"
depends=$(
	mkdir -p "$build/deb/debian"
	cd "$build/deb"
	printf 'Source: fpmove\n\nPackage: fpmove\nArchitecture: any\n' >debian/control
	dpkg-shlibdeps -O --ignore-missing-info "fpmove/usr/bin/fpmove" fpmove/usr/lib/*/libfpmove.so.*.* 2>/dev/null |
		sed -n 's/^shlibs:Depends=//p'
)
cat >"$root/DEBIAN/control" <<END
Package: fpmove
Version: $version-1
Architecture: $arch
Maintainer: $maintainer
Installed-Size: $(du -sk "$root/usr" | cut -f 1)
Depends: $depends
Section: devel
Priority: optional
Description: optimizer for pairs of Direct3D 9 shaders in assembly
 fpmove moves instructions that commute with interpolation from the pixel
 program of a draw to its vertex program, proves that the new pair draws what
 the old one drew, and writes both back. It also checks vs_1_1 and ps_2_0
 programs against every rule of their models.
 .
 The package holds the command and the library, libfpmove.
END
printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
printf 'libfpmove 0 fpmove (>= %s)\n' "$version" >"$root/DEBIAN/shlibs"
(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
dpkg-deb --root-owner-group --build "$root" "$build/fpmove_$version-1_$arch.deb"
