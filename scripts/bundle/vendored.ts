/**
 * Packages that the library needs and that are far larger than the part of them in use. Each becomes one file in dist/vendor, which the
 * library and `webdata` share.
 */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { rolldown } from 'rolldown';
import { dist, root } from './paths.ts';

/** Names stay: they show up in stack traces, and fastify puts those of functions into messages. */
export const whiteSpaceOnly = { compress: false, mangle: false, codegen: { removeWhitespace: true } } as const;

interface Vendored {
  /** File name in dist/vendor. A package that is loaded with require() needs a .cjs. */
  file: string;
  /** All exports that the sources use. */
  exports: readonly string[];
}

/** pg loads this only when a program asks for `pg.native`. */
const neverLoaded = 'pg-native';

const vendored: Readonly<Record<string, Vendored>> = {
  'cron-parser': { file: 'cron-parser.cjs', exports: ['CronExpressionParser'] },
  'csv-parse/sync': { file: 'csv-parse.js', exports: ['CsvError', 'parse'] },
  fastify: { file: 'fastify.js', exports: ['default', 'LogController'] },
  pg: { file: 'pg.js', exports: ['default'] },
};

export function isVendored(specifier: string): boolean {
  return Object.hasOwn(vendored, specifier);
}

/** Returns the paths of the modules that went into the files. */
export async function bundleVendored(): Promise<string[]> {
  const modules: string[] = [];
  for (const [specifier, { file, exports }] of Object.entries(vendored)) {
    const entry = `${root}${file}.mjs`;
    const bundle = await rolldown({
      input: entry,
      platform: 'node',
      external: neverLoaded,
      plugins: [
        {
          name: 'entry',
          resolveId: (id) => (id === entry ? id : null),
          load: (id) => (id === entry ? entryOf(specifier, exports) : null),
        },
      ],
      onLog: failOnLog,
    });
    const { output } = await bundle.write({
      file: `${dist}vendor/${file}`,
      format: file.endsWith('.cjs') ? 'cjs' : 'es',
      codeSplitting: false,
      minify: whiteSpaceOnly,
    });
    modules.push(...output.flatMap((chunk) => (chunk.type === 'chunk' ? chunk.moduleIds : [])));
  }
  return modules;
}

/** Returns the code of the file. Its require() returns the default export, if there is one, as it does for the package itself. */
function entryOf(specifier: string, exports: readonly string[]): string {
  const names = exports.includes('default') ? [...exports, "default as 'module.exports'"] : exports;
  return `export { ${names.join(', ')} } from '${specifier}';`;
}

/** An unresolved import is only a warning to rolldown, but it would fail at run time. */
export function failOnLog(_level: string, { message }: { message: string }): never {
  throw new Error(message);
}

/** Points the imports in what tsc has written to dist/vendor. Types are not published: no exported type may depend on a vendored package. */
export function importVendored(): void {
  for (const file of readdirSync(dist, { recursive: true, encoding: 'utf8' })) {
    const isCompiled = /^(src|providers)[\\/]/.test(file) && !/^src[\\/]cli[\\/]/.test(file);
    if (!isCompiled || !file.endsWith('.js')) continue;
    const code = readFileSync(join(dist, file), 'utf8');
    const changed = withVendoredImports(code, join(dist, file));
    if (changed !== code) writeFileSync(join(dist, file), changed);
  }
}

const importOfPackage = /(\bfrom\s*|\bimport\(|\brequire\(|createRequire\(import\.meta\.url\)\()(['"])([^'"\n]+)\2/g;

/** @param place the path in dist that the code is loaded from, or resolves its imports against */
export function withVendoredImports(code: string, place: string): string {
  return code.replaceAll(importOfPackage, (text, before: string, quote: string, specifier: string) => {
    const entry = vendored[specifier];
    if (entry === undefined) return text;
    const path = relative(dirname(place), `${dist}vendor/${entry.file}`).replaceAll('\\', '/');
    return `${before}${quote}${path}${quote}`;
  });
}
