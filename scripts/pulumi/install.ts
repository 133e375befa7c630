/**
 * `npm run pulumi:install`: builds the Pulumi CLI and the hosts for Node, Python and YAML programs from their Go modules, where no Pulumi is
 * installed. Takes some minutes, once for each machine. Prints the folder to put on PATH as its last line.
 */
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { type Executable, engineFolder, engineVersion, executables, isExecutable, pathWithEngine } from './engine.ts';

const sdk = 'github.com/pulumi/pulumi/sdk/v3';

/** The Go module in this folder that pins the version, and the package to build. */
const builds: Readonly<Partial<Record<Executable, { module: string; goPackage: string }>>> = {
  pulumi: { module: 'cli', goPackage: 'github.com/pulumi/pulumi/pkg/v3/cmd/pulumi' },
  'pulumi-language-nodejs': { module: 'language', goPackage: `${sdk}/nodejs/cmd/pulumi-language-nodejs` },
  'pulumi-language-python': { module: 'language', goPackage: `${sdk}/python/cmd/pulumi-language-python` },
  'generate-sdk': { module: 'cli', goPackage: './generateSdk' },
  'pulumi-language-yaml': { module: 'yaml', goPackage: 'github.com/pulumi/pulumi-yaml/cmd/pulumi-language-yaml' },
};

/** Imported by Python programs and by the generated SDK. */
const pythonPackages = ['pulumi==3.232.0', 'parver==0.5', 'semver==3.0.4'];

function install(): void {
  if (pathWithEngine() !== undefined) {
    console.log('Pulumi is already installed.');
    return;
  }
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      'Neither Pulumi nor Go is on the PATH: install one of them (Pulumi: https://www.pulumi.com/docs/install).',
    );
    process.exitCode = 1;
    return;
  }
  const folder = engineFolder();
  mkdirSync(dirname(folder), { recursive: true });
  // Built next to its final place and renamed when it is complete, so that an existing folder is always whole.
  const building = mkdtempSync(`${folder}-`);
  try {
    for (const name of executables) provide(name, building, folder);
    installPython(building, folder);
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

/** An earlier version of this script may have built some of the executables already. */
function provide(name: Executable, building: string, folder: string): void {
  const file = join(building, name);
  const build = builds[name];
  if (build === undefined) copyScript(name, file);
  else if (isExecutable(join(folder, name))) copyFileSync(join(folder, name), file);
  else compile(name, build, file);
}

function compile(name: string, { module, goPackage }: { module: string; goPackage: string }, file: string): void {
  console.log(`Building ${name} …`);
  const flags = `-s -w -X ${sdk}/go/common/version.Version=${engineVersion}`;
  run('go', ['build', '-mod=readonly', '-ldflags', flags, '-o', file, goPackage], resolve('scripts/pulumi', module));
}

/** Some executables are scripts beside the sources of the host that starts them. */
function copyScript(name: string, file: string): void {
  const cwd = resolve('scripts/pulumi/language');
  run('go', ['mod', 'download', sdk], cwd);
  const { stdout } = spawnSync('go', ['list', '-m', '-f', '{{.Dir}}', sdk], { cwd, encoding: 'utf8' });
  copyFileSync(join(stdout.trim(), 'python/cmd', name), file);
  chmodSync(file, 0o755);
}

/** Virtual environments cannot be moved, so the wrapper names the final folder. */
function installPython(building: string, folder: string): void {
  const environment = `${folder}-python`;
  run('python3', ['-m', 'venv', '--clear', environment]);
  run(join(environment, 'bin/pip'), ['install', '--quiet', '--disable-pip-version-check', ...pythonPackages]);
  for (const name of ['python', 'python3']) {
    writeFileSync(join(building, name), `#!/bin/sh\nexec '${environment}/bin/python3' "$@"\n`, { mode: 0o755 });
  }
}

function run(command: string, args: readonly string[], cwd?: string): void {
  const { status } = spawnSync(command, args, { stdio: 'inherit', ...(cwd !== undefined && { cwd }) });
  if (status !== 0) throw new Error(`${command} ${args.join(' ')} exited with ${status}`);
}

install();
if (process.exitCode === undefined) console.log(engineFolder());
