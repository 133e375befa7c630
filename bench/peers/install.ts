/**
 * `npm run bench:peers`: installs missing peers of the benchmark into node_modules/.cache/bench: octoDNS from PyPI, and OpenTofu from its
 * Go module if the machine has neither OpenTofu nor Terraform.
 */
import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { octodns, octodnsCommand, peersFolder, terraformCommand } from './peers.ts';

const opentofu = 'github.com/opentofu/opentofu@v1.10.6';
/** More than any machine should need; a peer that is not installed by then counts as absent. */
const timeout = 600_000;

mkdirSync(peersFolder, { recursive: true });
tell('octoDNS', octodnsCommand() ?? installOctodns());
tell('Terraform or OpenTofu', terraformCommand() ?? installOpentofu());

function installOctodns(): string | undefined {
  run('python3', ['-m', 'venv', octodns.folder]);
  run(join(octodns.folder, 'bin', 'pip'), ['install', '--quiet', `octodns==${octodns.version}`]);
  return octodnsCommand();
}

/** Builds in the folder of the module, because `go install` refuses modules with replace directives. */
function installOpentofu(): string | undefined {
  const module = run('go', ['mod', 'download', '-json', opentofu]);
  if (module === undefined) return undefined;
  const { Dir: folder } = JSON.parse(module) as { Dir: string };
  run('go', ['build', '-C', folder, '-o', join(peersFolder, 'opentofu', 'tofu'), './cmd/tofu']);
  return terraformCommand();
}

/** Returns the output, or undefined after a failure, which the program itself reports. */
function run(command: string, args: readonly string[]): string | undefined {
  const { status, stdout } = spawnSync(command, args, {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
    timeout,
  });
  return status === 0 ? stdout : undefined;
}

function tell(peer: string, command: string | undefined): void {
  console.log(
    command === undefined
      ? `${peer} could not be installed: its row will say that it is absent.`
      : `${peer}: ${command}`,
  );
  if (command === undefined) process.exitCode = 1;
}
