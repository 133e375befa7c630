/** Built-in modules that are slow to load. */
import { promisify } from 'node:util';
import type { Plugin } from 'rolldown';
import { isInUndici } from './undici.ts';

/** Their functions and classes that few commands use. */
export const slowBuiltins: Readonly<Record<string, readonly string[]>> = {
  'node:child_process': ['execFile', 'execFileSync', 'spawn'],
  'node:v8': ['setFlagsFromString'],
  'node:util': ['inspect', 'isDeepStrictEqual', 'promisify', 'stripVTControlCharacters', 'styleText'],
  'node:crypto': [
    'createCipheriv',
    'createDecipheriv',
    'createHash',
    'createHmac',
    'hash',
    'randomBytes',
    'randomUUID',
    'scryptSync',
    'timingSafeEqual',
    'X509Certificate',
  ],
};

/** Loads these modules when one of their exports is first called. */
export const lazyBuiltins: Plugin = {
  name: 'lazy-builtins',
  resolveId: (id, importer = '') => (Object.hasOwn(slowBuiltins, id) && !isInUndici(importer) ? `lazy:${id}` : null),
  load: (id) => (id.startsWith('lazy:') ? lazyModule(id.slice('lazy:'.length)) : null),
};

/** Returns the code of a module with the functions of `slowBuiltins`. */
export function lazyModule(name: string): string {
  const names = slowBuiltins[name] ?? [];
  const module = `process.getBuiltinModule(${JSON.stringify(name)})`;
  const each = names.map(
    (one) => `export function ${one}(...args) {
      const { ${one}: it } = ${module};
      return new.target ? new it(...args) : it(...args);
    }`,
  );
  // `promisify(execFile)` resolves to { stdout, stderr }, and without this symbol to stdout alone.
  const promisified = names
    .filter((one) => hasOwnPromise(name, one))
    .map((one) => {
      const symbol = `Symbol.for(${JSON.stringify(Symbol.keyFor(promisify.custom))})`;
      return `Object.defineProperty(${one}, ${symbol}, { get: () => ${module}.${one}[${symbol}] });`;
    });
  return [...each, ...promisified, `export default { ${names.join(', ')} };`].join('\n');
}

function hasOwnPromise(name: string, one: string): boolean {
  const builtin = process.getBuiltinModule(name) as Readonly<Record<string, object>> | undefined;
  return promisify.custom in (builtin?.[one] ?? {});
}
