/** Real files of this repository, as examples for mutations. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { badDeclarations } from '../../test/cli/badInput/refusedCases.ts';

const root = join(import.meta.dirname, '../..');

export function fileText(file: string): string {
  return readFileSync(join(root, file), 'utf8');
}

/** Returns the declarations of the examples, the documents and the tests, including invalid ones. */
export function declarations(): string[] {
  const documents = ['docs/declaration.md', 'docs/delivery.md', 'docs/schedules.md', 'README.md'].filter(exists);
  const blocks = documents.flatMap((file) =>
    [...fileText(file).matchAll(/```yaml\n([\s\S]*?)```/g)].map(([, text = '']) => text),
  );
  const broken = badDeclarations().map(({ yaml }) => yaml);
  return [
    ...['examples/quickstart/webdata.yaml', 'examples/schedules/webdata.yaml'].map(fileText),
    ...blocks,
    ...broken,
  ];
}

export function accounts(): string[] {
  const files = ['accounts/plain', 'accounts/odd', 'quickstart/account', 'schedules/account', 'production/account'];
  return files.map((file) => fileText(`examples/${file}.yaml`));
}

/** Returns the example answers of the specification. */
export function answers(): { name: string; body: unknown }[] {
  const names = readdirSync(join(root, 'test/spec')).filter((file) => file.endsWith('.json'));
  return names.map((name) => ({ name, body: JSON.parse(fileText(`test/spec/${name}`)).answer.body }));
}

function exists(file: string): boolean {
  return readdirSync(join(root, file, '..')).includes(file.split('/').at(-1) ?? '');
}
