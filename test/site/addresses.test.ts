/** The addresses that errors, help and the JSON Schema show lead to an item of a page. */
import type { Command } from 'commander';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { anchorsOf } from '../../scripts/site/anchors.ts';
import { withItems } from '../../scripts/site/items.ts';
import { readPages } from '../../scripts/site/pages.ts';

const site = 'https://docs.example.com';
const addresses = new Set<string>();

beforeAll(() => {
  vi.resetModules();
  vi.doMock('../../src/version.ts', () => ({ version: '0.1.0', homepage: `${site}/` }));
  for (const { id: file, text } of readPages('.', { inRepository: () => undefined })) {
    const id = file.replace(/\/index$/, '');
    const page = withItems(text);
    const items = [...page.matchAll(/\{#([\w-]+)\}|<a id="([\w-]+)">/g)].map(([, heading, other]) => heading ?? other);
    addresses.add(`${site}/${id}`);
    for (const anchor of [...anchorsOf(page), ...items]) addresses.add(`${site}/${id}#${anchor}`);
  }
});

afterAll(() => {
  vi.doUnmock('../../src/version.ts');
  vi.resetModules();
});

it('of every field in the schema', async () => {
  await import('../../src/kinds/builtIn.ts');
  const { declarationSchema, schemaText } = await import('../../src/engine/declaration/declarationSchema.ts');
  const shown = [...schemaText(declarationSchema('0.1.0')).matchAll(/Docs: (\S+)"/g)].map(
    ([, address = '']) => address,
  );
  expect(shown).toContain(`${site}/declaration/zoneIpAllocations#zones-keepatleast`);
  expect(shown.filter((address) => !addresses.has(address))).toEqual([]);
});

it('of every command', async () => {
  const { loadedProgram } = await import('../../scripts/docs/program.ts');
  const { helpConfiguration } = await import('../../src/cli/help.ts');
  const { program } = await loadedProgram();
  const visible = (command: Command) => command.createHelp().visibleCommands(command);
  const all = visible(program).flatMap((command) => (command.commands.length > 0 ? visible(command) : [command]));
  const shown = all
    .filter((command) => command.name() !== 'help')
    .map((command) => {
      const help = command.configureHelp(helpConfiguration(false)).helpInformation();
      return /^Docs: (\S+)$/m.exec(help)?.[1] ?? help;
    });
  expect(shown).toContain(`${site}/commands/plan`);
  expect(shown.filter((address) => !addresses.has(address))).toEqual([]);
});

it('of an error', async () => {
  const { errorAddress } = await import('../../src/docsAddress.ts');
  expect(errorAddress('accepted-unseen')).toBe(`${site}/errors#accepted-unseen`);
  expect(addresses).toContain(errorAddress('accepted-unseen'));
});
