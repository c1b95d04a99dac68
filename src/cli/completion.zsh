#compdef drvabi run_differ
# zsh completion of drvabi and run_differ. `drvabi help --completion zsh` prints this file. At each TAB, it runs drvabi, which prints the candidates.

_drvabi() {
	local program=${~${(Q)words[1]}} candidate about files= directories=
	local -a found shown

	while IFS=$'\t' read -r candidate about; do
		case $candidate in
		(:file) files=1 ;;
		(:directory) directories=1 ;;
		(*) found+=("$candidate") shown+=("$candidate${about:+  -- $about}") ;;
		esac
	done < <("${program/%run_differ/drvabi}" help --complete -- "${program:t}" "${(@Q)words[2,CURRENT]}" 2>/dev/null)

	(( $#found )) && compadd -V drvabi -l -d shown -a found
	[[ -n $files$directories && $PREFIX == --*=* ]] && compset -P '*='
	[[ -n $files ]] && _files
	[[ -n $directories ]] && _files -/
}

_drvabi "$@"
