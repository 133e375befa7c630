/**
 * `npm run terraform:install`: builds OpenTofu from its Go module, where it is not installed. Takes some minutes, once for
 * each machine. Prints the path of the program as its last line.
 */
import { execFileSync, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { opentofuCommand, opentofuFolder, opentofuVersion } from './opentofu.ts';

function install(): void {
  if (spawnSync('go', ['version']).status !== 0) {
    console.error(
      'Neither OpenTofu nor Go is on the PATH: install one of them (OpenTofu: https://opentofu.org/docs/intro/install).',
    );
    process.exitCode = 1;
    return;
  }
  const folder = opentofuFolder();
  mkdirSync(dirname(folder), { recursive: true });
  // Built beside its final place and renamed when it is complete, so that an existing folder is always whole.
  const building = mkdtempSync(`${folder}-`);
  try {
    console.log('Building OpenTofu …');
    const found = execFileSync('go', ['mod', 'download', '-json', `github.com/opentofu/opentofu@${opentofuVersion}`]);
    const { Dir: module } = JSON.parse(String(found)) as { Dir: string };
    // In the folder of the module, because `go install` refuses modules with replace directives.
    const args = ['build', '-C', module, '-ldflags', '-s -w', '-o', join(building, 'tofu'), './cmd/tofu'];
    execFileSync('go', args, { stdio: 'inherit' });
    rmSync(folder, { recursive: true, force: true });
    renameSync(building, folder);
  } finally {
    rmSync(building, { recursive: true, force: true });
  }
}

if (opentofuCommand() === undefined) install();
const command = opentofuCommand();
if (command !== undefined) console.log(command);
