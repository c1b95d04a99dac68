package proxysource

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// WriteFile replaces a file atomically, and keeps its mode. "-" is standard output. A file that is not regular, such as /dev/null, is written
// directly. For a symbolic link, its target is replaced.
func WriteFile(path string, text []byte) error {
	if path == "-" {
		_, err := os.Stdout.Write(text)
		return err
	}
	mode := fs.FileMode(0o644)
	switch old, err := os.Stat(path); {
	case err == nil && !old.Mode().IsRegular():
		return os.WriteFile(path, text, mode)
	case err == nil:
		mode = old.Mode().Perm()
		if path, err = filepath.EvalSymlinks(path); err != nil {
			return err
		}
	case !errors.Is(err, fs.ErrNotExist):
		return err
	}
	temporary, err := os.CreateTemp(filepath.Dir(path), ".nvproxy-")
	if err != nil {
		return err
	}
	defer os.Remove(temporary.Name())
	_, err = temporary.Write(text)
	if closed := temporary.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chmod(temporary.Name(), mode)
	}
	if err == nil {
		err = os.Rename(temporary.Name(), path)
	}
	return err
}
