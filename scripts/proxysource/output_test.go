package proxysource

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"
)

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := WriteFile(path, []byte(text)); err != nil {
		t.Fatal(err)
	}
}

func holds(t *testing.T, path, want string) {
	t.Helper()
	if text, err := os.ReadFile(path); err != nil || string(text) != want {
		t.Errorf("%s has %q, %v; it should have %q", path, text, err, want)
	}
}

func TestWhatIsNoRegularFileStays(t *testing.T) {
	pipe := filepath.Join(t.TempDir(), "pipe")
	if err := syscall.Mkfifo(pipe, 0o600); err != nil {
		t.Fatal(err)
	}
	reader, err := os.OpenFile(pipe, os.O_RDWR, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	write(t, pipe, "text")
	if stat, err := os.Stat(pipe); err != nil || stat.Mode()&os.ModeNamedPipe == 0 {
		t.Errorf("the pipe has become %v, %v", stat, err)
	}
	got := make([]byte, 4)
	if _, err := reader.Read(got); err != nil || string(got) != "text" {
		t.Errorf("the pipe had %q, %v", got, err)
	}
}

func TestAFileKeepsItsModeAndALinkItsTarget(t *testing.T) {
	dir := t.TempDir()
	file, link := filepath.Join(dir, "file"), filepath.Join(dir, "link")
	write(t, file, "one")
	holds(t, file, "one")
	if err := os.Chmod(file, 0o640); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("file", link); err != nil {
		t.Fatal(err)
	}
	write(t, link, "two")
	holds(t, file, "two")
	if stat, err := os.Lstat(link); err != nil || stat.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link has become %v, %v", stat, err)
	}
	if stat, err := os.Stat(file); err != nil || stat.Mode().Perm() != 0o640 {
		t.Errorf("the file has the mode %v, %v", stat, err)
	}
	if left, _ := filepath.Glob(filepath.Join(dir, ".nvproxy-*")); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
