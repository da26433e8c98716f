# bash completion for itomap: commands and options come from the program's own help, so they are never out of date.

_itomap_options() { itomap "$1" --help 2>/dev/null | sed -n 's/^  \(--[a-z-]*\).*/\1/p'; }
_itomap_commands() { itomap 2>/dev/null | sed -n '/^Commands/,/^$/s/^  \([a-z]*\) .*/\1/p'; }
_itomap_examples() { itomap reproduce --help 2>/dev/null | sed -n 's/^ *EXAMPLE *\([a-z|-]*\).*/\1/p' | tr '|' ' '; }

_itomap() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]}
  COMPREPLY=()
  if ((COMP_CWORD == 1)); then
    mapfile -t COMPREPLY < <(compgen -W "$(_itomap_commands) --help --version" -- "$current")
    return
  fi
  case $previous in
    --engine) mapfile -t COMPREPLY < <(compgen -W "auto sparse grid dense" -- "$current") ;;
    --epsilon | --density-epsilon) mapfile -t COMPREPLY < <(compgen -W "auto" -- "$current") ;;
    reproduce)
      mapfile -t COMPREPLY < <(compgen -W "$(_itomap_examples) $(_itomap_options reproduce) --help" -- "$current")
      ;;
    --out | --data) mapfile -t COMPREPLY < <(compgen -d -- "$current") ;;
    *)
      if [[ $current == -* ]]; then
        mapfile -t COMPREPLY < <(compgen -W "$(_itomap_options "${COMP_WORDS[1]}") --help" -- "$current")
      else
        mapfile -t COMPREPLY < <(compgen -f -- "$current")
      fi
      ;;
  esac
}

complete -o filenames -F _itomap itomap
