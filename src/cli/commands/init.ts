/** `webdata init [FILE]`: writes a first declaration, and the schema that editors check it against. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { readTextFile } from '../../base/files/textFile.ts';
import { printableLine, printableLines } from '../../base/values/printable.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import { commonTemplate, declarationSchema, schemaText } from '../../engine/doors/schema.ts';
import { version } from '../../version.ts';
import { type ConnectionFlags, withService } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { assertNotOverwritten, isStdout, newFilePath, writeOutput } from '../output/outputFile.ts';

interface Flags extends ConnectionFlags {
  force?: boolean;
  account?: string;
}

/** A declaration that a feature writes in place of the template. */
export interface InitExtension {
  addOptions(command: Command): void;
  examples: Readonly<Record<string, string>>;
  /** Writes a declaration of its own; undefined if none of its options is set. */
  declare(flags: Flags, target: string, io: Io, write: (yaml: string) => Promise<void>): Promise<void> | undefined;
  /** Returns what it offers for the new declaration `name` of an account that can be asked. */
  offer(name: string): string;
}

const schemaFile = 'webdata.schema.json';

const usage = {
  'webdata init': 'a template: the most common fields, commented out',
};

export const addInitWith =
  (extension?: InitExtension) =>
  (command: Command, { io, end }: Shell): void => {
    withService(command);
    extension?.addOptions(command);
    command
      .argument('[file]', 'file to write; - for stdout', 'webdata.yaml')
      .option('--force', 'overwrite an existing file')
      .action(async (target: string, flags: Flags) => end(await init(target, flags, extension, io)));
    addExamples(command, { ...usage, ...extension?.examples });
  };

async function init(
  name: string,
  { force = false, ...flags }: Flags,
  extension: InitExtension | undefined,
  io: Io,
): Promise<ExitCode> {
  const target = await newFilePath(name, name, force, io);
  if (isStdout(name)) {
    await declare(target, flags, extension, io, async (text) => void io.stdout.write(text));
    return exitCodes.done;
  }
  const schemaTarget = join(dirname(target), schemaFile);
  if (!force && !(await isOurs(schemaTarget))) await newFilePath(schemaFile, schemaTarget, force, io);
  assertNotOverwritten([{ what: schemaFile, file: schemaTarget }], [{ what: 'the declaration', file: target }], io);
  await declare(target, flags, extension, io, async (text, isLive) => {
    await writeOutput(name, target, `${editorLine}${text}`, io);
    io.stdout.write(printableLine(`Wrote ${name}.`));
    if (await writeSchema(schemaTarget, schemaText(declarationSchema(version)), io))
      io.stdout.write(printableLine(`Wrote ${join(dirname(name), schemaFile)} for editors to check the declaration.`));
    const offer = !isLive && isConnected(flags, io) ? extension?.offer(name) : undefined;
    io.stdout.write(printableLines(nextSteps(name, offer)));
  });
  return exitCodes.done;
}

/** Writes the template, or what a feature declares: it is then what is live. */
async function declare(
  target: string,
  flags: Flags,
  extension: InitExtension | undefined,
  io: Io,
  write: (text: string, isLive: boolean) => Promise<void>,
): Promise<void> {
  const declaring = extension?.declare(flags, target, io, (yaml) => write(`\n${yaml}`, true));
  if (declaring !== undefined) return declaring;
  const { account } = flags;
  return write(account === undefined ? commonTemplate : `\n${stringify({ account })}\n${commonTemplate}`, false);
}

/** Returns true if the schema was written by any version of this tool, or does not exist. */
async function isOurs(file: string): Promise<boolean> {
  return !existsSync(file) || /"\$id": "urn:webdata:/.test(await existingText(file));
}

/** Writes the generated schema if it has changed. Returns true if it has. */
async function writeSchema(file: string, text: string, io: Io): Promise<boolean> {
  if ((await existingText(file)) === text) return false;
  await writeOutput(schemaFile, file, text, io);
  return true;
}

/** Returns the text of a file that may be of another program. Empty if it cannot be read. */
function existingText(file: string): Promise<string> {
  return readTextFile(file).catch(() => '');
}

const editorLine = `# yaml-language-server: $schema=${schemaFile}\n`;

/** Reports whether an account can be asked what is live. */
function isConnected({ apiUrl }: ConnectionFlags, { env }: Io): boolean {
  return Boolean((apiUrl ?? env.WEBDATA_API_URL) && env.WEBDATA_API_KEY);
}

function nextSteps(name: string, offer = ''): string {
  const file = name === 'webdata.yaml' ? '' : ` ${shellWords(['-f', name])}`;
  return `${offer}
Next:
  webdata validate${file}
  webdata plan${file}

Keep .webdata/ (the journal) and keys out of git. Put the API key in WEBDATA_API_KEY.
`;
}
