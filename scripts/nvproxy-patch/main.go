// Command nvproxy-patch writes a patch of gVisor's source from the output of
// `drvabi bootstrap -o DIR`.
//
// README.md describes what it writes, and what it leaves to a person.
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
infos, structs, constants, seccomp rules. An unknown fact becomes a
TODO(drvabi), which does not compile, and is listed on standard error. A place
in the tree that is not found is listed, too; the rest is still written. The
patch names the table and the tree that it was made for.

The second form checks that each entry of nvproxy is complete, and that no
TODO(drvabi) is left. With PATCH, it also checks that the patch was made for
this tree, from this tree's table.
The third form writes the tree's proxy table (drvabi-proxy/1) from its source.

  --tree GVISOR  the root of a checkout of gVisor, which is not changed
  -o FILE        write the patch to FILE (default: DIR/bootstrap.patch; -: standard output)
  --check        list incomplete entries and each TODO(drvabi)
  --table        write the table of a checkout of any age, for drvabi bootstrap --table

Exit status: 0; 1 if a place was not found, or if --check found something; 2 for
an error.
`

type options struct {
	tree, output, from string // from: DIR of the first form, PATCH of the second
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
		return opts, errors.New("--tree GVISOR is missing: the root of a checkout (nvproxy-patch --help)")
	}
	if opts.check || opts.table {
		if opts.check {
			opts.from = flags.Arg(0)
		}
		if flags.NArg() > 1 || opts.table && flags.NArg() > 0 {
			return opts, fmt.Errorf("unexpected argument '%s': --check takes at most one patch, --table none", flags.Arg(flags.NArg()-1))
		}
		if opts.check && opts.table {
			return opts, errors.New("--check and --table cannot be used together")
		}
		if opts.table && opts.output == "" {
			return opts, errors.New("--table needs -o FILE (-: standard output)")
		}
		return opts, nil
	}
	if flags.NArg() != 1 {
		return opts, errors.New("give one directory, written by drvabi bootstrap -o (nvproxy-patch --help)")
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
		fmt.Fprintln(os.Stderr, "the tree already has all changes; the patch is empty")
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
