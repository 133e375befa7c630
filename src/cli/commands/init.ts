/** `webdata init [FILE]`: writes a first declaration, and the schema that editors check it against. */

import { existsSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Command } from 'commander';
import { stringify } from 'yaml';
import { readTextFile } from '../../base/files/textFile.ts';
import { printableLine, printableLines } from '../../base/values/printable.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import { commonTemplate, declarationSchema, schemaText } from '../../engine/doors/schema.ts';
import { type LiveFlags, withLiveOptions, withPulled } from '../../features/pull/command.ts';
import { version } from '../../version.ts';
import { type ConnectionFlags, withService } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { assertNotOverwritten, isStdout, newFilePath, writeOutput } from '../output/outputFile.ts';

interface Flags extends LiveFlags {
  force?: boolean;
}

const schemaFile = 'webdata.schema.json';

const usage = {
  'webdata init': 'the most common fields, commented out',
  'webdata init --live': 'the live account: how many IPs of each country its zones hold',
  'webdata init prod.yaml --zone checkout,pricing --by-ip': 'the addresses that two zones hold',
};

export function addInit(command: Command, { io, end }: Shell): void {
  withLiveOptions(withService(command))
    .argument('[file]', 'file to write; - for stdout', 'webdata.yaml')
    .option('--force', 'overwrite an existing file')
    .action(async (target: string, flags: Flags) => end(await init(target, flags, io)));
  addExamples(command, usage);
}

async function init(name: string, { force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const target = await newFilePath(name, name, force, io);
  if (isStdout(name)) {
    await declare(target, flags, io, async (text) => void io.stdout.write(text));
    return exitCodes.done;
  }
  const schemaTarget = join(dirname(target), schemaFile);
  if (!force && !(await isOurs(schemaTarget))) await newFilePath(schemaFile, schemaTarget, force, io);
  assertNotOverwritten([{ what: schemaFile, file: schemaTarget }], [{ what: 'the declaration', file: target }], io);
  await declare(target, flags, io, async (text) => {
    await writeOutput(name, target, `${editorLine}${text}`, io);
    io.stdout.write(printableLine(`Wrote ${name}.`));
    if (await writeSchema(schemaTarget, schemaText(declarationSchema(version)), io))
      io.stdout.write(printableLine(`Wrote ${join(dirname(name), schemaFile)} for editors to check the declaration.`));
    io.stdout.write(printableLines(nextSteps(name, !isLive(flags) && isConnected(flags, io))));
  });
  return exitCodes.done;
}

function isLive({ live, zone, byIp }: LiveFlags): boolean {
  return Boolean(live || zone || byIp);
}

async function declare(
  target: string,
  flags: LiveFlags,
  io: Io,
  write: (text: string) => Promise<void>,
): Promise<void> {
  if (isLive(flags)) return withPulled(flags, target, io, (yaml) => write(`\n${yaml}`));
  const { account } = flags;
  return write(account === undefined ? commonTemplate : `\n${stringify({ account })}\n${commonTemplate}`);
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

function nextSteps(name: string, isLiveOffered: boolean): string {
  const file = name === 'webdata.yaml' ? '' : ` ${shellWords(['-f', name])}`;
  const target = name === 'webdata.yaml' ? '' : ` ${shellWords([name])}`;
  const live = isLiveOffered
    ? `\nYour account is connected. To declare it as it is:\n  webdata init${target} --live --force\n`
    : '';
  return `${live}
Next:
  webdata validate${file}
  webdata plan${file}

Keep .webdata/ (the journal) and keys out of git. Put the API key in WEBDATA_API_KEY.
`;
}
