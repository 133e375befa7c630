/**
 * Loads the files of the bundle with code that earlier commands compiled. The cache of Node holds only what V8 compiles when it loads a file.
 * This one holds all functions that a command has called, which saves a quarter of the CPU time of a short command.
 */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import vm from 'node:vm';
import { checksumOf, compiledCodeFolder, readCompiledCode, writeCompiledCode } from './compiledCode.ts';

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
  const compile: Compile = cache === undefined ? compileText : compilerWith(`${cache}/${command}-${entry}`);
  const requireInstalled = createRequire(folder);
  const loaded = new Map<string, object>();

  function load(id: string): unknown {
    if (id === 'webdata:chunks') return { keepCompiledCode };
    if (!id.startsWith('./')) return process.getBuiltinModule(id) ?? requireInstalled(id);
    const before = loaded.get(id);
    if (before !== undefined) return before;
    const filename = folder + id.slice('./'.length);
    const exports = {};
    loaded.set(id, exports);
    const script = compile(readFileSync(filename), filename);
    (script.runInThisContext() as Chunk)(exports, load, filename);
    return exports;
  }

  return load(`./${entry}`);
}

type Compile = (content: Buffer, filename: string) => vm.Script;

function compileText(content: Buffer, filename: string, cachedData?: Buffer): vm.Script {
  return new vm.Script(content.toString('latin1'), { filename, cachedData });
}

/** Returns a function that compiles with the code in a file, and keeps the code there. */
function compilerWith(file: string): Compile {
  const scripts = new Map<string, vm.Script>();
  const kept = readCompiledCode(file);
  let isComplete = true;
  keepOnce = () => {
    if (isComplete) return;
    writeCompiledCode(file, () => {
      const compiled = [...scripts].map(([key, script]) => [key, script.createCachedData()] as const);
      return new Map([...kept, ...compiled]);
    });
  };
  process.on('exit', keepCompiledCode);
  return (content, filename) => {
    // V8 compares only the lengths of the text.
    const key = `${basename(filename)} ${checksumOf(content)}`;
    const script = compileText(content, filename, kept.get(key));
    isComplete &&= script.cachedDataRejected === false;
    scripts.set(key, script);
    return script;
  };
}
