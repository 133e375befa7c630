// Command generateSdk writes the Node and Python SDKs of a package schema, with the generators that `pulumi package add` uses.
//
// The Node and Python hosts that can be built from public Go modules are older than that command, so tests generate SDKs with this one.
package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pulumi/pulumi/pkg/v3/codegen/nodejs"
	"github.com/pulumi/pulumi/pkg/v3/codegen/python"
	"github.com/pulumi/pulumi/pkg/v3/codegen/schema"
)

const generator = "pulumi-webdata"

func main() {
	if len(os.Args) != 3 {
		fail(fmt.Errorf("usage: generateSdk SCHEMA FOLDER"))
	}
	pkg := read(os.Args[1])
	nodeFiles, err := nodejs.GeneratePackage(generator, pkg, nil, nil, false, nil)
	fail(err)
	write(filepath.Join(os.Args[2], "nodejs"), nodeFiles)
	pythonFiles, err := python.GeneratePackage(generator, pkg, nil, nil)
	fail(err)
	write(filepath.Join(os.Args[2], "python"), pythonFiles)
}

func read(file string) *schema.Package {
	text, err := os.ReadFile(file)
	fail(err)
	var spec schema.PackageSpec
	fail(json.Unmarshal(text, &spec))
	pkg, diagnostics, err := schema.BindSpec(spec, nil, schema.ValidationOptions{})
	fail(err)
	if diagnostics.HasErrors() {
		fail(diagnostics)
	}
	return pkg
}

func write(folder string, files map[string][]byte) {
	for name, content := range files {
		file := filepath.Join(folder, name)
		fail(os.MkdirAll(filepath.Dir(file), 0o755))
		fail(os.WriteFile(file, content, 0o644))
	}
}

func fail(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}
