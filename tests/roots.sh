# SPDX-License-Identifier: Apache-2.0
# roots.sh - minimal Debian systems under build/bare, or ROOTS, in which commands run on a copy of this tree. bare.sh and
# compilers.sh source it. A root is made once, with debootstrap, from the mirror that apt uses on this machine, or from
# MIRROR. It gets its name when it is whole: one whose making failed or was stopped is removed, and made anew.
roots=${ROOTS:-$PWD/build/bare}

# why_no_roots: says why no root can be made or entered here; false if they can.
why_no_roots() {
    if [ "$(id -u)" -ne 0 ]; then echo 'only root may make and enter roots'; return; fi
    for needed in debootstrap unshare chroot mount tar; do
        command -v $needed >/dev/null || { echo "there is no $needed here"; return; }
    done
    [ -n "$(mirror)" ] || { echo 'apt has no mirror here, and MIRROR is not set'; return; }
    unshare --mount true 2>/dev/null || { echo 'namespaces of mounts are not allowed here'; return; }
    false
}

# The mirror of Debian, and the proxy if there is one, in apt's configuration.
mirror() {
    if [ -n "$MIRROR" ]; then echo "$MIRROR"; return; fi
    apt-get indextargets --format '$(REPO_URI)' 'Created-By: Packages' 2>/dev/null | grep -v -e '^file:' -e security | head -n 1
}
proxy() {
    if [ -n "$http_proxy" ]; then echo "$http_proxy"; return; fi
    apt-config shell p Acquire::http::Proxy 2>/dev/null | sed -n "s/^p='\(.*\)'$/\1/p"
}

# apart COMMAND...: in a namespace, so that mounts and processes are gone when it ends. No folder is removed while
# something is mounted in it.
apart() {
    unshare --mount --pid --fork --kill-child --propagation private "$@"
}

# make_root RELEASE [NAME PACKAGES]: makes build/bare/NAME if it is missing, by default RELEASE with a compiler and make;
# false after a failure, which is told.
make_root() {
    name=${2:-$1}
    [ ! -d "$roots/$name" ] || return 0
    if why=$(why_no_roots); then echo "no root of $1: $why"; return 1; fi
    mkdir -p "$roots"
    rm -rf "$roots/$name.part"
    if ! http_proxy=$(proxy) apart debootstrap --variant=minbase --include="${3:-gcc,make,libc6-dev}" "$1" "$roots/$name.part" "$(mirror)" >"$roots/$name.made.log" 2>&1; then
        echo "no root of $1: debootstrap failed: $(grep -e '^E:' -e '^W:' "$roots/$name.made.log" | tail -n 1) ($roots/$name.made.log)"
        rm -rf "$roots/$name.part"
        return 1
    fi
    mv "$roots/$name.part" "$roots/$name"
}

# copy_root FROM TO: another root with the same contents.
copy_root() {
    [ ! -d "$roots/$2" ] || return 0
    rm -rf "$roots/$2.part"
    cp -a "$roots/$1" "$roots/$2.part" && rm -rf "$roots/$2.part/tessera" && mv "$roots/$2.part" "$roots/$2"
}

# copy_tree ROOT: this tree, as it is now, to /tessera in a root, without anything built.
copy_tree() {
    rm -rf "$roots/$1/tessera" && mkdir "$roots/$1/tessera" &&
        tar -cf - --exclude=./build --exclude=./.git . | tar -xf - -C "$roots/$1/tessera"
}

# in_root ROOT COMMAND: in its /tessera. It has /proc, and of /dev what debootstrap made: no pseudo-terminals.
in_root() {
    apart sh -c 'mount -t proc proc "$1/proc" && exec chroot "$1" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root http_proxy="$3" sh -c "cd /tessera && $2"' \
        sh "$roots/$1" "$2" "$(proxy)" </dev/null
}
