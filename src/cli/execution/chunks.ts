/**
 * Loads the files of the bundle with code that earlier commands compiled. The cache of Node holds only what V8 compiles when it loads a file.
 * This one holds all functions that a command has called, which saves a quarter of the CPU time of a short command.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import vm from 'node:vm';
import {
  type CompiledCode,
  checksumOf,
  compiledCodeFolder,
  readCompiledCode,
  writeCompiledCode,
} from './compiledCode.ts';

interface Bundle {
  /** The folder of the chunks, with a slash at its end. */
  folder: string;
  entry: string;
  /** Each of these commands has a file of its own for compiled code, because it calls other functions than the others. */
  commands: readonly string[];
}

/** A chunk is the text of such a function, in ASCII. */
type Chunk = (exports: object, require: (id: string) => unknown, filename: string) => void;

let keepOnce = () => {};

/** Keeps what is compiled so far. To be called before a flag of V8 changes: V8 rejects code that was compiled with other flags. */
export function keepCompiledCode(): void {
  keepOnce();
  keepOnce = () => {};
}

/** Returns the exports of the entry. */
export function loadBundle({ folder, entry, commands }: Bundle, { argv, env }: NodeJS.Process): unknown {
  const [, , first = ''] = argv;
  const command = commands.includes(first) ? first : 'webdata';
  const cache = compiledCodeFolder(env);
  const file = cache && `${cache}/${command}-${entry}`;
  const kept: CompiledCode = file === undefined ? new Map() : readCompiledCode(file);
  const scripts = new Map<string, vm.Script>();
  const loaded = new Map<string, object>();
  const requireInstalled = createRequire(folder);
  let isComplete = true;

  function load(id: string): unknown {
    if (id === 'webdata:chunks') return { keepCompiledCode };
    if (!id.startsWith('./')) return process.getBuiltinModule(id) ?? requireInstalled(id);
    const before = loaded.get(id);
    if (before !== undefined) return before;
    const filename = folder + id.slice('./'.length);
    const content = readFileSync(filename);
    // V8 compares only the length.
    const key = `${id} ${checksumOf(content)}`;
    const cachedData = kept.get(key);
    const script = new vm.Script(content.toString('latin1'), { filename, cachedData });
    if (cachedData === undefined || script.cachedDataRejected === true) isComplete = false;
    scripts.set(key, script);
    const exports = {};
    loaded.set(id, exports);
    (script.runInThisContext() as Chunk)(exports, load, filename);
    return exports;
  }

  keepOnce = () => {
    if (isComplete || file === undefined) return;
    writeCompiledCode(file, () => {
      const compiled = [...scripts].map(([key, script]) => [key, script.createCachedData()] as const);
      return new Map([...kept, ...compiled]);
    });
  };
  process.on('exit', keepCompiledCode);
  return load(`./${entry}`);
}
