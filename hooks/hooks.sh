# shellcheck shell=sh
# Read by install and uninstall: where the hooks of the repository around the current folder live, and whose each one is.
# They say in $source where the hooks to install lie.
: "${source:?}"
# shellcheck disable=SC2034
names="pre-commit pre-merge-commit pre-push"
unset CDPATH
top=$(git rev-parse --show-toplevel) || exit 2
# From here on, since Git takes a relative core.hooksPath from here too.
cd "$top" || exit 2
top=$(pwd -P)
common=$(cd "$(git rev-parse --git-common-dir)" && pwd -P)

# The folder, without symlinks; the last parts of its path may not exist yet.
folder=$(git rev-parse --git-path hooks)
missing=
while [ ! -d "$folder" ]; do
  missing=/${folder##*/}$missing
  case $folder in
    /*/*|[!/]*/*) folder=${folder%/*} ;;
    /*) folder=/ ;;
    *) folder=. ;;
  esac
done
folder=$(cd "$folder" && pwd -P)$missing

# Exit 1 where other repositories use this folder too. $1 is what was asked for, $2 the word for what was not done.
refuse_foreign_folder() {
  case $folder/ in
    "$common"/*|"$top"/*) return 0 ;;
  esac
  printf '%s\n' "$1: core.hooksPath leads to $folder, which other repositories use too: nothing was $2." >&2
  echo "  = help: add --shared if that is meant, or set core.hooksPath for this repository" >&2
  exit 1
}

# The marker of a hook as it is installed: with a sum over its other lines, so that lines added since are seen.
marker() {
  echo "# recall-hook: $2 $(grep -v '^# recall-hook: ' "$1" | cksum | tr ' ' -)"
}

# Prints whose the file $1 is, as the hook called $2: nobody, ours, edited (ours, with lines that are not) or theirs.
owner() {
  if [ ! -e "$1" ] && [ ! -L "$1" ]; then
    echo nobody
  elif [ ! -f "$1" ] || ! grep -q "^# recall-hook: $2" "$1"; then
    echo theirs
  elif grep -qxF "$(marker "$1" "$2")" "$1" || cmp -s "$1" "$source/$2"; then
    echo ours
  else
    echo edited
  fi
}
