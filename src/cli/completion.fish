# fish completion of drvabi and run_differ. `drvabi help --completion fish` prints this file. At each TAB, it runs drvabi, which prints the candidates.

function __drvabi_complete
	set -l words (commandline -opc)
	set -l word (commandline -ct)
	set -l program (string replace -r '^~/' "$HOME/" -- $words[1])
	set -l drvabi (string replace -r 'run_differ$' drvabi -- $program)
	set -l before (string match -r -- '^--[^=]*=' "$word")
	set -l path (string sub -s (math (string length -- "$before") + 1) -- "$word")

	for line in ($drvabi help --complete -- (string replace -r '.*/' '' -- $program) $words[2..-1] "$word" 2>/dev/null)
		switch $line
			case :file
				for name in (__fish_complete_path "$path")
					echo "$before$name"
				end
			case :directory
				for name in (__fish_complete_directories "$path" '')
					echo "$before$name"
				end
			case '*'
				echo $line
		end
	end
end

complete -c drvabi -f -k -a '(__drvabi_complete)'
complete -c run_differ -f -k -a '(__drvabi_complete)'
