# Copyright (c) the juxta authors. SPDX-License-Identifier: MIT
# completion_test.sh packaging/juxta.bash: what the shell offers after some words.
set -u
source "$1"
cd / || exit 1
failed=0
# expect "what is offered" WORDS...: the last word is the one that is being typed.
expect() {
  COMP_WORDS=("${@:2}")
  COMP_CWORD=$(($# - 2))
  COMPREPLY=()
  _juxta
  if [[ ${COMPREPLY[*]} != "$1" ]]; then
    echo "after '${*:2}' the shell offers '${COMPREPLY[*]}' and not '$1'"
    failed=1
  fi
}
expect "sector" juxta sec
expect "--version" juxta --v
expect "boxes" juxta generate b
expect "--set --seed" juxta generate boxes --se
expect "--ticks" juxta sector battle --ti
expect "--descending" juxta top points.csv --desc
expect "/usr" juxta top /us
exit "$failed"
