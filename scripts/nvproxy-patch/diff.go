package main

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
)

// unifiedDiff returns the difference between the old and the edited files, in the format of `git apply`.
func unifiedDiff(src *source) ([]byte, error) {
	work, err := os.MkdirTemp("", "nvproxy-patch-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(work)
	var paths []string
	for path, file := range src.files {
		if len(file.edits) > 0 {
			paths = append(paths, path)
		}
	}
	sort.Strings(paths)
	for _, path := range paths {
		text, err := src.files[path].edited()
		if err != nil {
			return nil, err
		}
		if err := writeBoth(work, path, src.files[path].text, text); err != nil {
			return nil, err
		}
	}
	if len(paths) == 0 {
		return nil, nil
	}
	return runDiff(work)
}

func writeBoth(work, path string, old, new []byte) error {
	for side, text := range map[string][]byte{"a": old, "b": new} {
		to := filepath.Join(work, side, path)
		if err := os.MkdirAll(filepath.Dir(to), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(to, text, 0o666); err != nil {
			return err
		}
	}
	return nil
}

// runDiff compares a/ and b/ with git, which exits with 1 if they differ.
func runDiff(work string) ([]byte, error) {
	command := exec.Command("git", "-c", "core.quotePath=true", "diff", "--no-index", "--no-prefix", "--no-color", "--no-ext-diff", "--diff-algorithm=histogram", "a", "b")
	command.Dir = work
	command.Env = append(os.Environ(), "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "LC_ALL=C", "GIT_DIR=/dev/null")
	var stderr bytes.Buffer
	command.Stderr = &stderr
	out, err := command.Output()
	var exit *exec.ExitError
	if err == nil || errors.As(err, &exit) && exit.ExitCode() == 1 {
		return out, nil
	}
	if stderr.Len() > 0 {
		return nil, errors.New("git diff: " + string(bytes.TrimSpace(stderr.Bytes())))
	}
	return nil, err
}
