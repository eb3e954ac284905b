#!/usr/bin/env bash
# Set up a fresh machine for a purpose; quick when run again.
#
#   tools/setup.sh demo   what the demo and all commands need: a virtual environment, the toolkit, a compiler
#   tools/setup.sh test   also what the tests need: dev tools, Ray, gymnasium, the site, Blender, and a browser
#   tools/setup.sh docs   also what the site needs
#   tools/setup.sh detectron2   builds detectron2 into the environment of the tests, once
#
# DETECTRON2 is a checkout to build instead of the repository's.
# PYTHON chooses the interpreter. BLENDER=no and BROWSER=no leave these out of `test`. TORCH=cpu installs PyTorch without
# CUDA on x86_64, 4 GB smaller; other machines get that anyway.
set -euo pipefail
cd "$(dirname "$0")/.."

PURPOSE=${1:-test}
PYTHON=${PYTHON:-python3}
TORCH=${TORCH:-}
DETECTRON2=${DETECTRON2:-git+https://github.com/facebookresearch/detectron2@02b5c4e295e990042a714712c21dc79b731e8833}
TORCH_CPU_INDEX=https://download.pytorch.org/whl/cpu
VENV=.venv
say() { printf '\033[1m%s\033[0m\n' "$*"; }
fail() { printf 'error: %s\n' "$*" >&2; exit 1; }

case $PURPOSE in
demo) EXTRAS="" ;;
docs) EXTRAS="[docs]" ;;
detectron2 | test) EXTRAS="[learning,ray,puzzles,dev,docs,blender]" ;;
*) fail "expected a purpose: demo, docs, test or detectron2 (got '$PURPOSE')." ;;
esac
case $TORCH in
"" | cpu) ;;
*) fail "expected TORCH=cpu, or no TORCH for PyTorch's default (got '$TORCH')." ;;
esac

can_apt() { command -v apt-get >/dev/null && { [ "$(id -u)" = 0 ] || command -v sudo >/dev/null; }; }
apt_install() {
  local as=""
  [ "$(id -u)" = 0 ] || as=sudo
  $as apt-get update -q && DEBIAN_FRONTEND=noninteractive $as apt-get install -y -q --no-install-recommends "$@"
}
pip_install() { "$VENV/bin/python" -m pip install -q --prefer-binary -c constraints.txt "$@"; }

# Whether the stamp of a purpose is of these files. What the tests need includes what the others need.
wanted=$(cat pyproject.toml constraints.txt tools/setup.sh | cksum)
is_set_up() { [ -x "$VENV/bin/python" ] && [ "$(cat "$VENV/.set-up-$1" 2>/dev/null)" = "$wanted" ]; }

make_venv() {
  # pybullet has no wheel for some machines and is then compiled, which takes about five minutes once.
  if ! command -v c++ >/dev/null; then
    if can_apt; then say "Installing a C++ compiler"; apt_install g++ python3-dev
    else say "No C++ compiler found: pybullet needs one where it has no wheel, and the raytrace renderer is ten times faster with it."; fi
  fi
  say "Setting up $VENV for $PURPOSE (first time: some minutes; pybullet may have to be compiled)"
  "$PYTHON" -m venv "$VENV" || { can_apt && apt_install python3-venv && "$PYTHON" -m venv "$VENV"; } ||
    fail "Could not make a virtual environment; install your system's python3-venv package."
  "$VENV/bin/python" -m pip install -q --upgrade pip
}

# PyTorch without CUDA comes from PyTorch's own index, what it needs from the usual one, with all the rest.
install_cpu_torch() {
  [ "$(uname -m)" = x86_64 ] || return 0
  say "Installing PyTorch without CUDA"
  pip_install --no-deps --index-url "$TORCH_CPU_INDEX" torch torchvision || fail \
    "PyTorch's index of CPU wheels cannot be reached ($TORCH_CPU_INDEX). Leave out TORCH=cpu to install PyTorch with CUDA (4 GB more), or install torch and torchvision into $VENV yourself and run this again."
}

# Compilers for these machines fuse multiplications and additions, so that the last bits of what Bullet computes are not
# those of other machines. Told not to, they are; a Bullet that is there or that pip has kept may have been compiled otherwise,
# unless a stamp says how. CPPFLAGS are added to Python's own flags for C and C++; CFLAGS are not used for C++, CXXFLAGS
# replace -O3.
BULLET_FLAGS=-ffp-contract=off
bullet="$(grep -i '^pybullet==' constraints.txt) $BULLET_FLAGS"
prepare_bullet() {
  [ "$(uname -m)" != x86_64 ] || return 0
  if [ "$(cat "$VENV/.bullet" 2>/dev/null)" != "$bullet" ]; then
    "$VENV/bin/python" -m pip uninstall -q -y pybullet >/dev/null 2>&1 || true
    "$VENV/bin/python" -m pip cache remove pybullet >/dev/null 2>&1 || true
  fi
  export CPPFLAGS="${CPPFLAGS:-} $BULLET_FLAGS"
}

if ! is_set_up "$PURPOSE" && ! is_set_up test; then
  make_venv
  [ "$TORCH" != cpu ] || install_cpu_torch
  prepare_bullet
  PYTHONWARNINGS=ignore pip_install -e ".$EXTRAS" # setuptools warns of every editable installation
  printf '%s' "$bullet" >"$VENV/.bullet"
  printf '%s' "$wanted" >"$VENV/.set-up-$PURPOSE"
fi
if [ "$PURPOSE" = detectron2 ]; then
  # Against the torch that is there, so without an environment of its own; from a neutral folder, or Python would find
  # a checkout of detectron2 instead of what is installed.
  if ! (cd / && "$OLDPWD/$VENV/bin/python" -c 'import detectron2._C') >/dev/null 2>&1; then
    say "Building detectron2 (once: some minutes)"
    pip_install setuptools wheel ninja
    pip_install --no-build-isolation "$DETECTRON2" || fail \
      "detectron2 could not be built from $DETECTRON2. It needs git and a C++ compiler; DETECTRON2=/path/to/a/checkout builds that one."
  fi
  exit 0
fi
[ "$PURPOSE" = test ] || exit 0

if [ "${BLENDER:-yes}" != no ] && [ -z "${COMPHY_BLENDER:-}" ] && ! command -v blender >/dev/null &&
  ! "$VENV/bin/python" -c 'import bpy' >/dev/null 2>&1; then
  if can_apt; then say "Installing Blender"; apt_install blender
  else fail "Blender is missing and cannot be installed here. Install it (3.4 or newer), set COMPHY_BLENDER=/path/to/blender, or add BLENDER=no to leave it out."; fi
fi
if [ "${BROWSER:-yes}" != no ] && ! command -v chromium >/dev/null; then
  if can_apt; then say "Installing Chromium"; apt_install chromium
  else fail "Chromium is missing and cannot be installed here. Install it, or add BROWSER=no to leave out the tests that need it."; fi
fi
