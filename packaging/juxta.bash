# Written by scripts/tool_manual.py from the help texts. Do not edit.
# Completion of the juxta command for bash: commands, options, files.
_juxta() {
  local word=${COMP_WORDS[COMP_CWORD]} path='' before i words
  for ((i = 1; i < COMP_CWORD; ++i)); do
    before=${COMP_WORDS[i]}
    case "$path $before" in
      ' top') path=' top' ;;
      ' count') path=' count' ;;
      ' index') path=' index' ;;
      ' points') path=' points' ;;
      ' points insert') path=' points insert' ;;
      ' points delete') path=' points delete' ;;
      ' points log') path=' points log' ;;
      ' points top') path=' points top' ;;
      ' pairs') path=' pairs' ;;
      ' query') path=' query' ;;
      ' ray') path=' ray' ;;
      ' distance') path=' distance' ;;
      ' render') path=' render' ;;
      ' scene') path=' scene' ;;
      ' flock') path=' flock' ;;
      ' model') path=' model' ;;
      ' sector') path=' sector' ;;
      ' replay') path=' replay' ;;
      ' view') path=' view' ;;
      ' view sector') path=' view sector' ;;
      ' view flock') path=' view flock' ;;
      ' view model') path=' view model' ;;
      ' view recording') path=' view recording' ;;
      ' view sweep') path=' view sweep' ;;
      ' view points') path=' view points' ;;
      ' generate') path=' generate' ;;
      ' generate contest') path=' generate contest' ;;
      ' generate boxes') path=' generate boxes' ;;
      ' generate mesh') path=' generate mesh' ;;
      ' demo') path=' demo' ;;
      ' isa') path=' isa' ;;
    esac
  done
  case $path in
    '') words='top count index points pairs query ray distance render scene flock model sector replay view generate demo isa -h --help --version' ;;
    ' top') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --categories --values --rect --geographic --any --all --none --range -k --format --svg' ;;
    ' count') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --categories --values --rect --geographic --any --all --none --range --heat --size' ;;
    ' index') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --categories --values -o --output' ;;
    ' points') words='insert delete log top -h --help' ;;
    ' points insert') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --categories' ;;
    ' points delete') words='-h --help' ;;
    ' points log') words='-h --help' ;;
    ' points top') words='-h --help --rect --any --all --none -k' ;;
    ' pairs') words='-h --help -o --out --sorted --svg --check --skip-bad --json --threads' ;;
    ' query') words='-h --help --box --ray --segment --nearest --file --within --all --any --count --first --skip-bad --json --threads' ;;
    ' ray') words='-h --help --from --to --beyond --json --threads' ;;
    ' distance') words='-h --help --shift --json --threads' ;;
    ' render') words='-h --help --size --eye --at --shade --json --threads' ;;
    ' scene') words='-h --help --time --animation --instances --csv --json --svg --view --threads' ;;
    ' flock') words='-h --help --agents --steps --threads --3d --periodic --seed --half-size --out --every --boids --json' ;;
    ' model') words='-h --help --list --preset --set --steps --until --seed --sweep --resume --threads --out --every --agents --snapshots --pictures --checkpoint --json --centre --zoom --video --video-every --video-width --video-rate' ;;
    ' sector') words='-h --help --ticks --seed --resume --threads --out --record --checkpoint --trace --headless --json --video --video-every --video-width --video-centre --video-zoom' ;;
    ' replay') words='-h --help --threads' ;;
    ' view') words='sector flock model recording sweep points -h --help' ;;
    ' view sector') words='-h --help --port --address --token --no-browser --paused --threads --seed' ;;
    ' view flock') words='-h --help --port --address --token --no-browser --paused --threads --seed --agents --3d --walls' ;;
    ' view model') words='-h --help --port --address --token --no-browser --paused --threads --seed --preset --set' ;;
    ' view recording') words='-h --help --port --address --token --no-browser --paused' ;;
    ' view sweep') words='-h --help --port --address --token --no-browser' ;;
    ' view points') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --port --address --token --no-browser' ;;
    ' generate') words='contest boxes mesh -h --help' ;;
    ' generate contest') words='-h --help --points --seed -o --output --queries --query-count' ;;
    ' generate boxes') words='-h --help --set --count --seed -o --output --out' ;;
    ' generate mesh') words='-h --help --triangles --seed -o --output --out' ;;
    ' demo') words='-h --help --x --y --rank --name --descending --ascending --skip-bad --threads --points --queries --out' ;;
    ' isa') words='-h --help' ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$word")
  ((${#COMPREPLY[@]} > 0)) || mapfile -t COMPREPLY < <(compgen -f -- "$word")
}
complete -o filenames -F _juxta juxta
