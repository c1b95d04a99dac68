// Command nvproxy-table writes what gVisor's nvproxy assumes about NVIDIA's
// driver, in each of its versions, as a drvabi-proxy/1 document.
//
// README.md describes the source of each fact.
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

Writes the table of gVisor's nvproxy (drvabi-proxy/1) to FILE, by default to
data/nvproxy.json, the table that is included in drvabi.

  --api-only  use only gVisor's exported API: each version's parent is the
              previous version; capabilities and handlers are not written
  -o FILE     write to FILE; - is standard output

Exit status: 0; 2 for an error, with one line on standard error.
`

// Path of the table from this program's directory, which go -C makes the working directory.
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
		return found, fmt.Errorf("unexpected argument '%s': only --api-only and -o FILE are allowed", flags.Arg(0))
	}
	if found.output == "" {
		if found.apiOnly {
			return found, errors.New("--api-only needs -o FILE, since drvabi cannot read such a table")
		}
		found.output = shipped
		if _, err := os.Stat(shipped); err != nil {
			return found, errors.New("data/nvproxy.json is not two directories above; run go -C scripts/nvproxy-table run ., or give -o FILE")
		}
	}
	return found, nil
}

// run writes the table atomically.
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
			return nil, fmt.Errorf("%w; --api-only does not read gVisor's source", err)
		}
	}
	document, err := newDocument(driven, source)
	if err != nil {
		return nil, err
	}
	return formatted(document)
}
