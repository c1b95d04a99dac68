// Command nvproxy-patch turns what `drvabi bootstrap -o DIR` found into a
// patch of gVisor's source.
//
// README.md, beside this file, says what it writes where, and what it leaves.
package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"drvabi/proxysource"
)

const usage = `usage: nvproxy-patch --tree GVISOR [-o FILE] DIR
       nvproxy-patch --tree GVISOR --check [PATCH]
       nvproxy-patch --tree GVISOR --table -o FILE

The first form reads bootstrap.json and structs.go, which drvabi bootstrap -o DIR
wrote, and writes a patch of gVisor's nvproxy for git apply: nodes, handlers,
infos, structs, constants, seccomp rules. What it does not know is written as
TODO(drvabi), which does not compile, and listed on standard error. So is a
place that it does not find; everything else is still written. The patch says
for which table and tree it was made.

The second form looks whether each entry of nvproxy is in all of these places, and
whether a TODO(drvabi) is left. It refuses a PATCH that was made for another tree, or out of another tree's table.
The third form writes the tree's proxy table (drvabi-proxy/1), out of its text.

  --tree GVISOR  the root of a checkout of gVisor; it is read, not changed
  -o FILE        where the patch goes; default DIR/bootstrap.patch, - for standard output
  --check        names entries that are in some of the places and not in others, and
                 each TODO(drvabi) that is left
  --table        writes the table of a checkout of any age, for drvabi bootstrap --table

Exit status: 0; 1 if a place was not found, or --check found something; 2 if it
could not be done.
`

type options struct {
	tree, output, from string // from: the directory of the first form, the patch of the second
	check, table       bool
}

func main() {
	opts, err := parseArguments(os.Args[1:])
	if errors.Is(err, flag.ErrHelp) {
		fmt.Print(usage)
		return
	}
	status := 2
	if err == nil && opts.check {
		status, err = checkTree(opts, os.Stdout)
	} else if err == nil && opts.table {
		status, err = writeTable(opts)
	} else if err == nil {
		status, err = patchTree(opts)
	}
	if err != nil {
		fmt.Fprintf(os.Stderr, "nvproxy-patch: %v\n", err)
		status = 2
	}
	os.Exit(status)
}

func parseArguments(arguments []string) (opts options, err error) {
	flags := flag.NewFlagSet("nvproxy-patch", flag.ContinueOnError)
	flags.SetOutput(io.Discard)
	flags.StringVar(&opts.tree, "tree", "", "")
	flags.StringVar(&opts.output, "o", "", "")
	flags.BoolVar(&opts.check, "check", false, "")
	flags.BoolVar(&opts.table, "table", false, "")
	if err = flags.Parse(arguments); err != nil {
		return opts, err
	}
	if opts.tree == "" {
		return opts, errors.New("no tree; give --tree GVISOR, the root of a checkout (nvproxy-patch --help)")
	}
	if opts.check || opts.table {
		if opts.check {
			opts.from = flags.Arg(0)
		}
		if flags.NArg() > 1 || opts.table && flags.NArg() > 0 {
			return opts, fmt.Errorf("'%s' is one argument too many: --check takes one patch or none, --table none", flags.Arg(flags.NArg()-1))
		}
		if opts.check && opts.table {
			return opts, errors.New("--check and --table are two runs")
		}
		if opts.table && opts.output == "" {
			return opts, errors.New("no file for the table; give -o FILE (-: standard output)")
		}
		return opts, nil
	}
	if flags.NArg() != 1 {
		return opts, errors.New("give one directory that drvabi bootstrap -o wrote (nvproxy-patch --help)")
	}
	opts.from = flags.Arg(0)
	if opts.output == "" {
		opts.output = filepath.Join(directoryOf(opts.from), "bootstrap.patch")
	}
	return opts, nil
}

func directoryOf(path string) string {
	if info, err := os.Stat(path); err == nil && !info.IsDir() {
		return filepath.Dir(path)
	}
	return path
}

func patchTree(opts options) (status int, err error) {
	boot, err := readBootstrap(opts.from)
	if err != nil {
		return 2, err
	}
	types, err := readTypes(opts.from, boot)
	if err != nil {
		return 2, err
	}
	src, err := readSource(opts.tree)
	if err != nil {
		return 2, err
	}
	v, err := readVersions(src)
	if err != nil {
		return 2, err
	}
	p := newPatcher(src, v, boot, types)
	p.run()
	text, err := unifiedDiff(src)
	if err != nil {
		return 2, err
	}
	if len(text) > 0 {
		origin, err := originOf(src, boot)
		if err != nil {
			return 2, err
		}
		text = append([]byte(origin), text...)
	}
	if err := proxysource.WriteFile(opts.output, text); err != nil {
		return 2, err
	}
	if len(text) == 0 && len(p.problems) == 0 {
		fmt.Fprintln(os.Stderr, "the tree has all of it: the patch is empty")
	}
	for _, todo := range p.todos {
		fmt.Fprintf(os.Stderr, "TODO(drvabi): %s\n", todo)
	}
	for _, problem := range p.problems {
		fmt.Fprintf(os.Stderr, "not found: %s\n", problem)
	}
	if len(p.problems) > 0 {
		return 1, nil
	}
	return 0, nil
}
