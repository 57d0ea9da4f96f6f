# Bash completion of the pto command.
_pto() {
  local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD-1]} command=${COMP_WORDS[1]-}
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    mapfile -t COMPREPLY < <(compgen -W 'run check lint fmt ops info diff gen bisect --help --version' -- "$cur")
    return
  fi
  case $prev in
    --profile) mapfile -t COMPREPLY < <(compgen -W 'cpu a2a3 a5' -- "$cur"); return ;;
    --form) mapfile -t COMPREPLY < <(compgen -W 'asm ssa dps' -- "$cur"); return ;;
    --format) mapfile -t COMPREPLY < <(compgen -W 'text line json sarif' -- "$cur"); return ;;
    --checks|--allow) mapfile -t COMPREPLY < <(compgen -W "$(pto lint --list 2>/dev/null | cut -d' ' -f1)" -- "$cur"); return ;;
    --entry|--shape|--dump|--blocks|--threads|--max-steps|--timeout|--on-chip-limit|--report-limit|--ulp|--rtol|--atol|--int|--float) return ;;
  esac
  local options=--help
  case $command in
    run) options+=' --entry --profile --in --out --shape --int --float --dump --trace --report --report-limit --golden --stats --sync --blocks --threads --max-steps --timeout --on-chip-limit --werror' ;;
    check) options+=' --profile --json --werror --sync --entry --in --shape --int --float --blocks --threads --max-steps --timeout --on-chip-limit' ;;
    lint) options+=' --profile --checks --allow --format --out --list' ;;
    fmt) options+=' --form --write' ;;
    ops) options+=' --json'
      [[ $cur == -* ]] || { mapfile -t COMPREPLY < <(compgen -W "$(pto ops 2>/dev/null | cut -d' ' -f1)" -- "$cur"); return; } ;;
    gen) options+=' --entry --profile --in --out --shape --int --float --seed --folder --blocks --threads --max-steps --timeout --on-chip-limit' ;;
    bisect) options+=' --entry --profile --in --shape --int --float --target-a --target-b --against --golden --save --limit --blocks --threads --max-steps --timeout --on-chip-limit' ;;
    diff) options+=' --ulp --rtol --atol --dtype --json --picture' ;;
  esac
  if [[ $cur == -* ]]; then
    mapfile -t COMPREPLY < <(compgen -W "$options" -- "$cur")
  else
    mapfile -t COMPREPLY < <(compgen -f -- "$cur")
  fi
}
complete -o filenames -F _pto pto
