#!/bin/sh
# chips_arm64.sh DIR: fetches Debian's Mesa for arm64, which has the compilers for Adreno and Mali, and unpacks it below DIR with its
# libraries (50 MB fetched, 230 MB unpacked).  It installs nothing and keeps this machine's package lists as they are.
set -eu
to=$1
work=$to.part
mkdir -p "$work/lists/partial" "$work/archives/partial" "$work/root"
work=$(cd "$work" && pwd)
: > "$work/status"
apt() {
	apt-get -qq -o APT::Architecture=arm64 -o APT::Architectures=arm64 -o APT::Sandbox::User="$(id -un)" -o Dir::State="$work" \
		-o Dir::State::lists="$work/lists" -o Dir::State::status="$work/status" -o Dir::Cache="$work" -o Dir::Cache::archives="$work/archives" "$@"
}
apt update
apt install -y --download-only --no-install-recommends libgl1-mesa-dri libegl-mesa0 libegl1 libepoxy0 libopengl0 > "$work/log"
for package in "$work"/archives/*.deb; do
	dpkg-deb -x "$package" "$work/root"
done
rm -rf "$to"
mv "$work/root" "$to"
rm -rf "$work"
