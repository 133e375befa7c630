/**
 * `npm run pulumi:plugin`: builds the provider plugin into dist/plugin: the program as one file and its entry, an executable that starts it with the
 * Node next to it or on PATH, and a release archive for each platform.
 */
import { execFileSync } from 'node:child_process';
import { chmodSync, cpSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { packageSchema } from '../../providers/plugin/package.ts';
import { version } from '../../src/version.ts';
import { fixedVersion } from '../bundle/fixedVersion.ts';
import { dist, root } from '../bundle/paths.ts';
import { failOnLog, whiteSpaceOnly } from '../bundle/vendored.ts';

const pluginName = 'pulumi-resource-webdata';
export const pluginFolder = join(dist, 'plugin');

const program = `${pluginName}.mjs`;
const bundled = `${pluginName}.bundle.mjs`;
/** The folder for what only some configurations need, such as the clients of backends. */
const chunks = 'chunks';
const protocol = 'provider.proto';

/**
 * Checks Node before anything is loaded that needs a newer one. Compiled code is kept beside the program, where that is writable: soon after the
 * start, because an engine kills its plugins, and Node would write it when it ends. Then V8 is set
 * to collect garbage early, and not in the background, where it falls behind on a busy machine: 20,000 IPs would take over 200 MB.
 */
const entry = `import module from 'node:module';
import { join } from 'node:path';
import v8 from 'node:v8';
const [major, minor] = process.versions.node.split('.').map(Number);
if (major < 22 || (major === 22 && minor < 19)) {
  process.stderr.write(\`${pluginName} needs Node 22.19 or newer; this is \${process.versions.node}.\\n\`);
  process.exit(1);
}
module.enableCompileCache(join(import.meta.dirname, 'compiled'));
await import('./${bundled}');
for (const flag of ['--semi-space-growth-factor=1', '--heap-growing-percent=20', '--no-incremental-marking']) {
  v8.setFlagsFromString(flag);
}
setTimeout(() => module.flushCompileCache(), 500).unref();
`;

/** The program for Node, without the executable that starts it. */
export const pluginProgram = join(pluginFolder, program);

/** The program that the engine starts. */
export const pluginExecutable = join(pluginFolder, pluginName);

/**
 * Node beside the executable comes first, so that a release can bring its own. By default, the C library keeps memory apart for each thread, of
 * which Node has ten.
 */
const launchers: Readonly<Record<string, string>> = {
  [pluginName]: `#!/bin/sh
export MALLOC_ARENA_MAX=1
here=$(dirname "$0")
[ -x "$here/node" ] && exec "$here/node" "$here/${program}" "$@"
exec node "$here/${program}" "$@"
`,
  [`${pluginName}.cmd`]: `@echo off\r\nnode "%~dp0${program}" %*\r\n`,
};

const platforms = ['linux', 'darwin', 'windows'].flatMap((system) =>
  ['amd64', 'arm64'].map((processor) => `${system}-${processor}`),
);

async function buildProgram(): Promise<void> {
  const bundle = await rolldown({
    input: `${root}providers/plugin/main.ts`,
    platform: 'node',
    // pg loads it only for programs that ask for it.
    external: ['pg-native'],
    // Every start of the plugin opens a session.
    checks: { ineffectiveDynamicImport: false },
    plugins: [fixedVersion()],
    onLog: failOnLog,
  });
  await bundle.write({
    dir: pluginFolder,
    entryFileNames: bundled,
    chunkFileNames: join(chunks, '[name]-[hash].mjs'),
    minify: whiteSpaceOnly,
  });
  cpSync(`${root}providers/plugin/${protocol}`, join(pluginFolder, protocol));
  writeFileSync(join(pluginFolder, program), entry);
}

function writeLaunchers(): void {
  for (const [name, text] of Object.entries(launchers)) {
    writeFileSync(join(pluginFolder, name), text);
    chmodSync(join(pluginFolder, name), 0o755);
  }
}

/** The archives of all platforms hold the same files: the program needs nothing of a platform but Node. */
function writeArchives(): void {
  const archives = join(pluginFolder, 'release');
  mkdirSync(archives);
  const files = [program, bundled, chunks, protocol, ...Object.keys(launchers)];
  const [first = '', ...others] = platforms.map((platform) =>
    join(archives, `${pluginName}-v${version}-${platform}.tar.gz`),
  );
  execFileSync('tar', ['--owner=0', '--group=0', '--numeric-owner', '-czf', first, '-C', pluginFolder, ...files]);
  for (const other of others) cpSync(first, other);
}

/** Builds everything into dist/plugin. Returns its path. */
export async function buildPlugin(): Promise<string> {
  rmSync(pluginFolder, { recursive: true, force: true });
  mkdirSync(pluginFolder, { recursive: true });
  await buildProgram();
  writeLaunchers();
  writeFileSync(join(pluginFolder, 'schema.json'), `${JSON.stringify(packageSchema(version), undefined, 2)}\n`);
  writeArchives();
  return pluginFolder;
}

if (import.meta.main) console.log(await buildPlugin());
