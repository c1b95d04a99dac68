# shellcheck shell=bash
# bash completion of drvabi and run_differ. `drvabi help --completion bash` prints this file. At each TAB, it runs drvabi, which prints the candidates.

_drvabi() {
	local program=${COMP_WORDS[0]/#\~\//$HOME/} words=() word candidate cut='' glue=''

	# If COMP_WORDBREAKS contains "=", bash passes "--format=json" as three words.
	for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
		if [[ ${#words[@]} -gt 0 && ($glue || ($word == = && ${words[-1]} == --*)) ]]; then
			words[-1]+=$word
			[[ $word == = && -z $glue ]] && glue=1 || glue=''
		else
			words+=("$word")
		fi
	done
	word=${words[-1]}
	if [[ $word == --*=* && $COMP_WORDBREAKS == *=* ]]; then
		cut=${word%%=*}=
		word=${word#*=}
	fi
	COMPREPLY=()
	while IFS=$'\t' read -r candidate _; do
		case $candidate in
		:file) compopt -o filenames 2>/dev/null || true; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -f -- "$word") ;;
		:directory) compopt -o filenames 2>/dev/null || true; mapfile -t -O "${#COMPREPLY[@]}" COMPREPLY < <(compgen -d -- "$word") ;;
		*) COMPREPLY+=("${candidate#"$cut"}") ;;
		esac
	done < <("${program/%run_differ/drvabi}" help --complete -- "${program##*/}" "${words[@]}" 2>/dev/null)
}

complete -o nosort -F _drvabi drvabi run_differ 2>/dev/null || complete -F _drvabi drvabi run_differ
