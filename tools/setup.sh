#!/usr/bin/env bash
# Set up everything on a fresh machine: a virtual environment, the packages, a compiler, Blender and, for the tests of pages, a
# browser where they are missing. Quick when run again. PYTHON chooses the interpreter, BLENDER=no and BROWSER=no leave these out.
set -euo pipefail
cd "$(dirname "$0")/.."

PYTHON=${PYTHON:-python3}
VENV=.venv
STAMP=$VENV/.set-up
say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

can_apt() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; }
apt_install() {
  local as=""
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get update -q && DEBIAN_FRONTEND=noninteractive $as apt-get install -y -q --no-install-recommends "$@"
}

"$PYTHON" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null ||
  fail "Python 3.11 or newer is needed ($PYTHON is $("$PYTHON" --version 2>&1 || echo missing)). Install it, or set PYTHON=/path/to/python3.11."

wanted=$(cat pyproject.toml constraints.txt tools/setup.sh | cksum)
if [ ! -x "$VENV/bin/python" ] || [ "$(cat "$STAMP" 2>/dev/null)" != "$wanted" ]; then
  # pybullet has no wheel for some machines and is then compiled, which takes about five minutes once.
  if ! command -v c++ >/dev/null; then
    if can_apt; then say "Installing a C++ compiler"; apt_install g++ python3-dev
    else say "No C++ compiler found: pybullet needs one where it has no wheel, and the raytrace renderer is ten times faster with it."; fi
  fi
  say "Setting up $VENV (first time: some minutes; pybullet may have to be compiled)"
  "$PYTHON" -m venv "$VENV" || { can_apt && apt_install python3-venv && "$PYTHON" -m venv "$VENV"; } ||
    fail "Could not make a virtual environment; install your system's python3-venv package."
  "$VENV/bin/python" -m pip install -q --upgrade pip
  if [ "$(uname -m)" != x86_64 ]; then
    # Compilers for these machines fuse multiplications and additions, so that the last bits of what Bullet computes are not
    # those of other machines. Told not to, they are; a Bullet that is there or that pip has kept may have been compiled otherwise.
    # CPPFLAGS are added to Python's own flags for C and C++; CFLAGS are not used for C++, CXXFLAGS replace -O3.
    "$VENV/bin/python" -m pip uninstall -q -y pybullet >/dev/null 2>&1 || true
    "$VENV/bin/python" -m pip cache remove pybullet >/dev/null 2>&1 || true
    export CPPFLAGS="${CPPFLAGS:-} -ffp-contract=off"
  fi
  "$VENV/bin/python" -m pip install -q --prefer-binary -c constraints.txt -e '.[learning,ray,puzzles,dev,blender]'
  printf '%s' "$wanted" >"$STAMP"
fi

if [ "${BLENDER:-yes}" != no ] && [ -z "${COMPHY_BLENDER:-}" ] && ! command -v blender >/dev/null &&
  ! "$VENV/bin/python" -c 'import bpy' >/dev/null 2>&1; then
  if can_apt; then say "Installing Blender"; apt_install blender
  else fail "Blender is missing and cannot be installed here. Install it (3.4 or newer), set COMPHY_BLENDER=/path/to/blender, or add BLENDER=no to leave it out."; fi
fi
if [ "${BROWSER:-yes}" != no ] && ! command -v chromium >/dev/null; then
  if can_apt; then say "Installing Chromium"; apt_install chromium
  else fail "Chromium is missing and cannot be installed here. Install it, or add BROWSER=no to leave out the tests that need it."; fi
fi
