package pto

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The program of the README, as a module of its own that uses this one.
func TestReadme(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	must(t, err)
	_, rest, _ := strings.Cut(string(readme), "```go\n")
	program, _, found := strings.Cut(rest, "```")
	here, err := os.Getwd()
	must(t, err)
	if !found {
		t.Fatal("the README has no program")
	}
	folder := t.TempDir()
	module := "module example\n\ngo 1.19\n\nrequire libpto.org/go v0.0.0\n\nreplace libpto.org/go => " + here + "\n"
	for name, text := range map[string]string{"go.mod": module, "main.go": program} {
		must(t, os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666))
	}
	run := exec.Command("go", "run", ".")
	run.Dir = folder
	out, err := run.CombinedOutput()
	if err != nil || string(out) != "[1 8 9 2]\n" {
		t.Fatalf("%v\n%s", err, out)
	}
}
