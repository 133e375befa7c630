/** Files of compiled code in the cache folder of the user. */
import {
  closeSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import module from 'node:module';
import zlib from 'node:zlib';

/**
 * Returns the folder for the code that this version of Node compiles for this user, with the present flags. Node keeps the code of packages
 * there. Returns undefined in CI, and where this user has no cache folder: other users must not be able to write code that this process runs.
 */
export function compiledCodeFolder(env: NodeJS.ProcessEnv): string | undefined {
  const caches = cacheFolder(env);
  // NODE_COMPILE_CACHE names another folder.
  if (caches === undefined || module.getCompileCacheDir() !== undefined) return module.getCompileCacheDir();
  const folder = `${caches}/webdata`;
  try {
    // One level at a time: a missing home is not created, and Node would never return from a missing folder in /proc.
    for (const each of [caches, folder]) if (!existsSync(each)) mkdirSync(each, { mode: 0o700 });
    if (process.getuid !== undefined && statSync(folder).uid !== process.getuid()) return undefined;
    module.enableCompileCache(folder);
  } catch {
    // Without the cache, the command only takes longer.
  }
  return module.getCompileCacheDir();
}

function cacheFolder({ CI, XDG_CACHE_HOME, LOCALAPPDATA, HOME }: NodeJS.ProcessEnv): string | undefined {
  // A job in CI mostly starts with an empty folder, and runs a command once: keeping its code takes longer than it saves.
  if (CI) return undefined;
  if (process.platform === 'win32') return LOCALAPPDATA;
  if (XDG_CACHE_HOME?.startsWith('/')) return XDG_CACHE_HOME;
  if (!HOME?.startsWith('/')) return undefined;
  return process.platform === 'darwin' ? `${HOME}/Library/Caches` : `${HOME}/.cache`;
}

/** The compiled code of each script, by name. */
export type CompiledCode = ReadonlyMap<string, Buffer>;

/** A checksum of the rest, a line with the names and sizes, and the code. V8 does not check the code that it is given. */
const checksumBytes = 8;

/** V8 copies code that does not start at a multiple of this. */
const alignment = 8;

/** Returns the content of a file; nothing if it does not exist, or is damaged. */
export function readCompiledCode(file: string): CompiledCode {
  const code = new Map<string, Buffer>();
  try {
    const bytes = readFileSync(file);
    const end = bytes.indexOf('\n');
    if (checksumOf(bytes.subarray(checksumBytes)) !== bytes.toString('latin1', 0, checksumBytes)) return code;
    const sizes: Record<string, number> = JSON.parse(bytes.toString('latin1', checksumBytes, end));
    let at = end + 1;
    for (const [name, size] of Object.entries(sizes)) {
      code.set(name, bytes.subarray(at, at + size));
      at += size + paddingOf(size);
    }
  } catch {
    // The file is written again.
  }
  return code;
}

/** Replaces the file. `compile` is called only if the folder can be written. */
export function writeCompiledCode(file: string, compile: () => CompiledCode): void {
  const partial = `${file}.${process.pid}`;
  try {
    const handle = openSync(partial, 'wx', 0o600);
    const code = compile();
    const sizes = JSON.stringify(Object.fromEntries([...code].map(([name, { length }]) => [name, length])));
    const head = Buffer.from(`${sizes}${' '.repeat(paddingOf(checksumBytes + sizes.length + 1))}\n`, 'latin1');
    const parts = [...code.values()].flatMap((each) => [each, Buffer.alloc(paddingOf(each.length))]);
    const content = Buffer.concat([head, ...parts]);
    writeFileSync(handle, Buffer.concat([Buffer.from(checksumOf(content), 'latin1'), content]));
    closeSync(handle);
    renameSync(partial, file);
  } catch {
    rmSync(partial, { force: true });
  }
}

export function checksumOf(bytes: Buffer): string {
  return zlib.crc32(bytes).toString(16).padStart(checksumBytes, '0');
}

function paddingOf(size: number): number {
  return (alignment - (size % alignment)) % alignment;
}
