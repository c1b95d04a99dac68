// Command nvproxy-table writes what gVisor's nvproxy believes about NVIDIA's
// driver, at every version that it knows, as a drvabi-proxy/1 document on
// standard output.
//
// README.md, beside this file, says what is taken from where.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"strings"
)

const usage = `usage: nvproxy-table [--api-only] >table.json

Writes gVisor's nvproxy as a proxy table (drvabi-proxy/1) to standard output.

  --api-only  use nothing but the exported API of gVisor: each version's parent
              is the version before it, and capabilities are left out

Exit status: 0; 2 if it could not be done, with one line on standard error.
`

func main() {
	apiOnly, err := parseArguments(os.Args[1:])
	if err == flag.ErrHelp {
		fmt.Print(usage)
		return
	}
	if err == nil {
		err = writeTable(os.Stdout, apiOnly)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "nvproxy-table: %v\n", err)
		os.Exit(2)
	}
}

func parseArguments(arguments []string) (apiOnly bool, err error) {
	flags := flag.NewFlagSet("nvproxy-table", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.BoolVar(&apiOnly, "api-only", false, "")
	if err = flags.Parse(arguments); err != nil {
		return false, err
	}
	if flags.NArg() > 0 {
		return false, fmt.Errorf("'%s' is one argument too many: it takes only --api-only", flags.Arg(0))
	}
	return apiOnly, nil
}

// writeTable writes all of the table, or nothing.
func writeTable(out io.Writer, apiOnly bool) error {
	driven, err := readAPI()
	if err != nil {
		return err
	}
	var source map[string]*sourceNode
	if !apiOnly {
		if source, err = readMatchingSource(driven); err != nil {
			return fmt.Errorf("%w; --api-only does without gVisor's source text", err)
		}
	}
	document, err := newDocument(driven, source)
	if err != nil {
		return err
	}
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(document); err != nil {
		return err
	}
	_, err = io.WriteString(out, text.String())
	return err
}
