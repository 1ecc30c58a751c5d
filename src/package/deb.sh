#!/bin/sh
# Makes Debian packages: deb.sh BUILD VERSION.  Packs the files that `make install` put under BUILD/deb/fpmove into
# BUILD/fpmove_VERSION_ARCH.deb, with the command and the library, and if it was built, fpmove-gpu into BUILD/fpmove-gpu_VERSION_ARCH.deb.
set -eu
build=$1 version=$2
maintainer="${DEBFULLNAME:-fpmove maintainers} <${DEBEMAIL:-fpmove@packages.example.org}>"
here=$(cd "$(dirname "$0")" && pwd)
arch=$(dpkg --print-architecture)
umask 022

# begin NAME: writes the documents of a package, compresses its manuals, and strips its program
begin() {
	name=$1
	root=$build/deb/$name doc=$build/deb/$name/usr/share/doc/$name
	mkdir -p "$doc" "$root/DEBIAN"
	strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root/usr/bin/$name"
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
		echo "$name ($version-1) unstable; urgency=medium"
		echo
		echo "  * Version $version."
		echo
		echo " -- $maintainer  $(date -u -R -d "@${SOURCE_DATE_EPOCH:-$(date +%s)}")"
	} | gzip -9n >"$doc/changelog.Debian.gz"
}
# depends_on FILE...: prints the packages of the shared libraries that these files load
depends_on() {
	mkdir -p "$build/deb/debian"
	(
		cd "$build/deb"
		printf 'Source: fpmove\n\nPackage: %s\nArchitecture: any\n' "$name" >debian/control
		dpkg-shlibdeps -O --ignore-missing-info "$@" 2>/dev/null | sed -n 's/^shlibs:Depends=//p'
	)
}
# finish DEPENDS: builds the package, with the description from standard input
finish() {
	{
		echo "Package: $name"
		echo "Version: $version-1"
		echo "Architecture: $arch"
		echo "Maintainer: $maintainer"
		echo "Installed-Size: $(du -sk "$root/usr" | cut -f 1)"
		echo "Depends: $1"
		echo 'Section: devel'
		echo 'Priority: optional'
		cat
	} >"$root/DEBIAN/control"
	(cd "$root" && find usr -type f -print0 | LC_ALL=C sort -z | xargs -0 md5sum) >"$root/DEBIAN/md5sums"
	dpkg-deb --root-owner-group --build "$root" "$build/${name}_$version-1_$arch.deb"
}

if [ -e "$build/deb/fpmove/usr/bin/fpmove-gpu" ]; then
	(cd "$build/deb/fpmove" && find usr -name '*fpmove-gpu*' -o -name gpu.schema.json) | while read -r file; do
		mkdir -p "$build/deb/fpmove-gpu/$(dirname "$file")"
		mv "$build/deb/fpmove/$file" "$build/deb/fpmove-gpu/$file"
	done
	begin fpmove-gpu
	finish "$(depends_on fpmove-gpu/usr/bin/fpmove-gpu), libegl1" <<'END'
Recommends: fpmove
Description: times Direct3D 9 shaders on the GPU here, as given and optimized
 fpmove-gpu draws pairs of Direct3D 9 assembly programs with OpenGL, without a
 window. It times them before and after fpmove moved what it could, compares
 the pictures, runs whole computations, and measures a target for fpmove.
END
fi

begin fpmove
strip --strip-unneeded --remove-section=.comment --remove-section=.note "$root"/usr/lib/*/libfpmove.so.*.*
strip --strip-debug "$root"/usr/lib/*/libfpmove.a
printf 'activate-noawait ldconfig\n' >"$root/DEBIAN/triggers"
printf 'libfpmove 0 fpmove (>= %s)\n' "$version" >"$root/DEBIAN/shlibs"
finish "$(depends_on fpmove/usr/bin/fpmove "$(cd "$build/deb" && echo fpmove/usr/lib/*/libfpmove.so.*.*)")" <<'END'
Description: optimizer for pairs of Direct3D 9 shaders in assembly
 fpmove moves instructions that commute with interpolation from the pixel
 program of a draw to its vertex program, proves that the new pair draws what
 the old one drew, and writes both back. It also checks vs_1_1 and ps_2_0
 programs against every rule of their models.
 .
 The package holds the command and the library, libfpmove.
END
