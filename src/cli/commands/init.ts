/** `webdata init [FILE]`: writes a first declaration, and the schema that editors check it against. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { printableLine, printableLines } from '../../base/values/printable.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import { commonTemplate, declarationSchema, schemaText } from '../../engine/doors/schema.ts';
import { version } from '../../version.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { isStdout, newFilePath, writeOutput } from '../output/outputFile.ts';

const schemaFile = 'webdata.schema.json';

export function addInit(command: Command, { io, end }: Shell): void {
  command
    .argument('[file]', 'file to write; - for stdout', 'webdata.yaml')
    .option('--force', 'overwrite existing files')
    .showHelpAfterError('(`webdata pull --output webdata.yaml` writes what is live; see webdata init --help)')
    .action(async (name: string, { force = false }: { force?: boolean }) => end(await init(name, force, io)));
  addExamples(command, {
    'webdata init': 'a template: the most common fields, commented out',
    'webdata init deploy/prod.yaml': 'in another file',
  });
}

async function init(name: string, force: boolean, io: Io): Promise<ExitCode> {
  const target = await newFilePath(name, name, force, io);
  if (isStdout(name)) {
    io.stdout.write(commonTemplate);
    return exitCodes.done;
  }
  await writeOutput(name, target, `# yaml-language-server: $schema=${schemaFile}\n${commonTemplate}`, io);
  io.stdout.write(printableLine(`Wrote ${name}.`));
  const schemaTarget = join(dirname(target), schemaFile);
  if (force || !existsSync(schemaTarget)) {
    await writeOutput(schemaFile, schemaTarget, schemaText(declarationSchema(version)), io);
    io.stdout.write(printableLine(`Wrote ${join(dirname(name), schemaFile)} for editors to check the declaration.`));
  }
  io.stdout.write(printableLines(nextSteps(name)));
  return exitCodes.done;
}

function nextSteps(name: string): string {
  const file = name === 'webdata.yaml' ? '' : ` ${shellWords(['-f', name])}`;
  return `
Next:
  webdata validate${file}
  webdata plan${file}
Or, to declare what is live already:
  webdata ${shellWords(['pull', '--output', name, '--force'])}

Keep .webdata/ (the journal) and keys out of git. Put the API key in WEBDATA_API_KEY.
`;
}
