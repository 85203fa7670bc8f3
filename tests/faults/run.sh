#!/usr/bin/env bash
# Seeds one fault after another into a copy of the tree, and tells which of them the tests catch.
#
#     tests/faults/run.sh [NAME…]
#
# For each fault the targets that its file names run first, and the whole suite where none of them fails. It ends
# with 1 where more than one fault is missed, and with 2 where one cannot be seeded or the tests fail without any.
set -euo pipefail
cd "$(dirname "$0")/../.."
here=$PWD
work=${CARGO_TARGET_DIR:-$here/target}/faults
tree=$work/tree
export CARGO_TARGET_DIR=$work/build CARGO_TERM_COLOR=never CI=1 INSTA_UPDATE=no
may_miss=1

give_up() {
  printf '%s\n' "$1" >&2
  exit 2
}

# The list of faults would be found out of date in a tree that holds one.
rm -rf "$tree"
mkdir -p "$tree"
git ls-files -z --cached --others --exclude-standard | while IFS= read -r -d '' file; do
  case $file in tests/faults*) continue ;; esac
  [ -e "$file" ] && printf '%s\0' "$file"
done | xargs -0 cp -p --parents -t "$tree"
cd "$tree"

# A test that hangs has found something, too.
run() { timeout -k 5 900 cargo test --locked --quiet "$@" >> "$log" 2>&1; }

# Gives a line of the head of a fault's file: `about` is the first, others have a name.
head_of() { sed -n "2,3s/^$2: //p" "$1"; }

seed() {
  perl -0777 -e '
    my ($fault, $path) = @ARGV;
    open my $in, "<", $fault or die; my $text = <$in>; close $in;
    my ($old, $new) = $text =~ /\n--- old\n(.*?\n)--- new\n(.*)\z/s or die "$fault: no old and new\n";
    open my $source, "<", $path or die "$path is not there\n"; my $code = <$source>; close $source;
    my $count = () = $code =~ /\Q$old\E/g;
    die "$fault: the old text occurs $count times\n" unless $count == 1;
    $code =~ s/\Q$old\E/$new/;
    open my $out, ">", $path or die; print $out $code; close $out;
  ' "$1" "$2"
}

if [ "$#" -gt 0 ]; then
  faults=("${@/#/$here/tests/faults/seeded/}")
  faults=("${faults[@]/%/.fault}")
else
  faults=("$here"/tests/faults/seeded/*.fault)
  log=$work/none.log
  : > "$log"
  run || give_up "the tests fail without any fault: see $log"
fi

caught=0
missed=()
for fault in "${faults[@]}"; do
  name=$(basename "$fault" .fault)
  file=$(head_of "$fault" file)
  log=$work/$name.log
  : > "$log"
  cp -p "$file" "$work/kept"
  seed "$fault" "$file" || give_up "$name cannot be seeded"
  by=""
  IFS=';' read -ra targets <<< "$(head_of "$fault" tests)"
  for target in "${targets[@]}" ""; do
    read -ra words <<< "$target"
    # What does not build was not caught by a test.
    timeout 1800 cargo test --locked --quiet --no-run "${words[@]}" >> "$log" 2>&1 ||
      give_up "$name does not build: see $log"
    if ! run "${words[@]}"; then
      by=${words[*]:-the whole suite}
      break
    fi
  done
  if [ -n "$by" ]; then
    caught=$((caught + 1))
    printf 'caught  %-20s %s\n' "$name" "by $by"
  else
    missed+=("$name")
    printf 'MISSED  %-20s %s\n' "$name" "$(sed -n 1p "$fault")"
  fi
  # The time of the last change must move on, or the fault would stay in what is built.
  cp "$work/kept" "$file"
done

printf '%s of %s caught\n' "$caught" "${#faults[@]}"
[ "${#missed[@]}" -le "$may_miss" ]
