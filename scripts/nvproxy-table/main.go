// Command nvproxy-table writes what gVisor's nvproxy believes about NVIDIA's
// driver, at every version that it knows, as a drvabi-proxy/1 document.
//
// README.md, beside this file, says what is taken from where.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"

	"drvabi/proxysource"
)

const usage = `usage: nvproxy-table [--api-only] [-o FILE]

Writes gVisor's nvproxy as a proxy table (drvabi-proxy/1) to FILE, or to the
table that comes along with drvabi, data/nvproxy.json.

  --api-only  use nothing but the exported API of gVisor: each version's parent
              is the version before it; capabilities and handlers are left out
  -o FILE     write it there; - is standard output

Exit status: 0; 2 if it could not be done, with one line on standard error.
`

// Where the table is, from the directory of this program, in which go -C runs it.
const shipped = "../../data/nvproxy.json"

type options struct {
	apiOnly bool
	output  string
}

func main() {
	options, err := parseArguments(os.Args[1:])
	if err == flag.ErrHelp {
		fmt.Print(usage)
		return
	}
	if err == nil {
		err = run(options)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "nvproxy-table: %v\n", err)
		os.Exit(2)
	}
}

func parseArguments(arguments []string) (found options, err error) {
	flags := flag.NewFlagSet("nvproxy-table", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&found.apiOnly, "api-only", false, "")
	flags.StringVar(&found.output, "o", "", "")
	if err = flags.Parse(arguments); err != nil {
		return found, err
	}
	if flags.NArg() > 0 {
		return found, fmt.Errorf("'%s' is one argument too many: it takes only --api-only and -o FILE", flags.Arg(0))
	}
	if found.output == "" {
		if found.apiOnly {
			return found, errors.New("drvabi cannot read a table of --api-only; -o FILE says where to put it")
		}
		found.output = shipped
		if _, err := os.Stat(shipped); err != nil {
			return found, errors.New("data/nvproxy.json is not where it is in drvabi's source tree; run go -C scripts/nvproxy-table run ., or give -o FILE")
		}
	}
	return found, nil
}

// run writes all of the table, or nothing.
func run(options options) error {
	text, err := tableText(options.apiOnly)
	if err != nil {
		return err
	}
	return proxysource.WriteFile(options.output, text)
}

func tableText(apiOnly bool) ([]byte, error) {
	driven, err := readAPI()
	if err != nil {
		return nil, err
	}
	var source *sourceReader
	if !apiOnly {
		if source, err = readMatchingSource(driven); err != nil {
			return nil, fmt.Errorf("%w; --api-only does without gVisor's source text", err)
		}
	}
	document, err := newDocument(driven, source)
	if err != nil {
		return nil, err
	}
	return formatted(document)
}
