#!/bin/sh
# libraries.sh FOLDER: downloads the sources of jansson and mcpp, with Debian's patches and their licences, to FOLDER/jansson and
# FOLDER/mcpp, and sets them up for Windows.  They come from the servers from which this machine gets its packages, even if its lists name
# no sources.  Nothing of the system changes, and no rights are needed.  Takes the newest available version of this release, or if there
# is none, of another release.
set -eu
mkdir -p "$1"
folder=$(cd "$1" && pwd)
work=$folder/fetch.$$
trap 'rm -rf "$work"' EXIT
mkdir -p "$work/parts" "$work/lists/partial" "$work/cache/archives/partial"

# Makes lists of sources from the system's lists of packages.
for list in /etc/apt/sources.list /etc/apt/sources.list.d/*.list; do
	[ ! -f "$list" ] || sed -n 's/^deb[ \t]/deb-src /p' "$list" >"$work/parts/$(basename "$list" .list).list"
done
for list in /etc/apt/sources.list.d/*.sources; do
	[ ! -f "$list" ] || sed 's/^Types:.*/Types: deb-src/' "$list" >"$work/parts/$(basename "$list")"
done
cat >"$work/apt.conf" <<END
Dir::Etc::SourceList "/dev/null";
Dir::Etc::SourceParts "$work/parts";
Dir::State::Lists "$work/lists";
Dir::Cache "$work/cache";
APT::Sandbox::User "root";
END
cd "$work"
export APT_CONFIG="$work/apt.conf"
# fetch NAME: downloads the newest available version of those that the lists name; a list may name versions that are gone from the server
fetch() {
	for version in $(apt-cache showsrc --only-source "$1" 2>>log | sed -n 's/^Version: //p' | sort -rVu); do
		apt-get -qq source --only-source "$1=$version" >>log 2>&1 && return 0
		rm -rf "$1"[-_]*
	done
	return 1
}
# Goes on if this fails for some lists, since servers other than Debian's may have no sources.
apt-get -qq update || echo "src/package/libraries.sh: some lists of sources could not be read" >&2
for name in jansson mcpp; do
	fetch $name && continue
	echo "src/package/libraries.sh: this release's sources of $name cannot be had; those of other releases are tried" >&2
	for release in oldstable stable testing unstable; do
		sed -i "s/^Suites:.*/Suites: $release/" "$work"/parts/*.sources 2>>log || :
		sed -i "s/^\(deb-src \(\[[^]]*\] *\)\{0,1\}[^ ]* *\)[^ ]*/\1$release/" "$work"/parts/*.list 2>>log || :
		apt-get -qq update >>log 2>&1 || :
		! fetch $name || continue 2
	done
	cat log >&2
	echo "src/package/libraries.sh: no sources of $name can be had; apt-get says why above" >&2
	exit 1
done

# Writes the file that jansson's configure script would write.
sed -e 's/@json_inline@/inline/; s/@json_have_[a-z_]*@/1/' jansson-*/src/jansson_config.h.in >jansson_config.h
# Sets mcpp up as on Linux, so that its results are the same as there; it reads no files.
cat >config.h <<'END'
#define SYSTEM SYS_LINUX
#define HOST_SYSTEM SYS_LINUX
#define COMPILER INDEPENDENT
#define HOST_COMPILER GNUC
#define CPU "x86_64"
#define HOST_CMP_NAME "GCC"
#define GCC_MAJOR_VERSION "12"
#define GCC_MINOR_VERSION "2"
#define VERSION "2.7.2"
#define OBJEXT "o"
#define MCPP_LIB 1
#define HAVE_INTMAX_T 1
#define HAVE_INTTYPES_H 1
#define HAVE_LONG_LONG 1
#define HAVE_STDINT_H 1
#define LL_FORM "j"
#define readlink(path, to, n) (-1)
END
for name in jansson mcpp; do
	rm -rf "$folder/$name"
	mkdir -p "$name/src"
	cp "$name"-*/LICENSE "$name"
	cp "$name"-*/src/*.[chH] "$name/src"
done
# Windows' own functions for the C library's round numbers otherwise.
sed -i '/^#define v*snprintf *_v*snprintf$/d' jansson/src/jansson_private.h
cp jansson_config.h jansson/src
: >jansson/src/jansson_private_config.h
cp config.h mcpp/src
mv jansson mcpp "$folder"
touch "$folder/ready"
