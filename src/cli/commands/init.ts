/** `webdata init [FILE]`: writes a first declaration, and the schema that editors check it against. */

import { existsSync } from 'node:fs';
import { basename, dirname, join, parse } from 'node:path';
import { type Command, Option } from 'commander';
import { stringify } from 'yaml';
import { readTextFile } from '../../base/files/textFile.ts';
import { printableLine, printableLines } from '../../base/values/printable.ts';
import { shellWords } from '../../base/values/shellWords.ts';
import { declarationSchema, schemaText } from '../../engine/declaration/declarationSchema.ts';
import { commonTemplate, declarationTemplate } from '../../engine/declaration/declarationTemplate.ts';
import { byCountOption, withPulled } from '../../features/pull/command.ts';
import { withZoneRemarks } from '../../features/pull/pull.ts';
import { accountView } from '../../kinds/accountView.ts';
import { version } from '../../version.ts';
import { type ConnectionFlags, withService } from '../options/options.ts';
import { addExamples, collect } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { assertNotOverwritten, isStdout, newFilePath, writeOutput } from '../output/outputFile.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  live?: boolean;
  byCount?: boolean;
  full?: boolean;
  force?: boolean;
}

const schemaFile = 'webdata.schema.json';

const usage = {
  'webdata init': 'the most common fields, commented out',
  'webdata init --full': 'every field, commented out',
  'webdata init --zone checkout --zone pricing': 'the IPs that two zones hold now',
  'webdata init prod.yaml --live --by-count': 'the live account, with numbers of IPs by country',
};

export function addInit(command: Command, { io, end }: Shell): void {
  withService(command)
    .argument('[file]', 'file to write; - for stdout', 'webdata.yaml')
    .addOption(new Option('--live', 'declare all zones that can be found as they are').conflicts('zone'))
    .option('--zone <zone>', 'zone to declare as it is; repeatable', collect)
    .addOption(byCountOption())
    .addOption(new Option('--full', 'write every field').conflicts(['zone', 'live', 'byCount']))
    .option('--force', 'overwrite an existing file')
    .action(async (target: string, flags: Flags) => end(await init(target, flags, io)));
  addExamples(command, usage);
}

async function init(name: string, { live, full, force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const target = await newFilePath(name, name, force, io);
  if (isStdout(name)) {
    const text = await declarationText({ live, full, ...flags }, io);
    io.stdout.write(`${accountLines(join(io.cwd, 'webdata.yaml'))}${text}`);
    return exitCodes.done;
  }
  const schemaTarget = join(dirname(target), schemaFile);
  if (!force && !(await isOurs(schemaTarget))) await newFilePath(schemaFile, schemaTarget, force, io);
  assertNotOverwritten([{ what: schemaFile, file: schemaTarget }], [{ what: 'the declaration', file: target }], io);
  const text = await declarationText({ live, full, ...flags }, io);
  await writeOutput(name, target, `${editorLine}${accountLines(target)}${text}`, io);
  io.stdout.write(printableLine(`Wrote ${name}.`));
  if (await writeSchema(schemaTarget, schemaText(declarationSchema(version)), io))
    io.stdout.write(printableLine(`Wrote ${join(dirname(name), schemaFile)} for editors to check the declaration.`));
  const isDeclared = live || flags.byCount || flags.zone !== undefined;
  io.stdout.write(printableLines(nextSteps(name, !isDeclared && isConnected(flags, io))));
  return exitCodes.done;
}

/** Names the account after the file, or after the folder of `webdata.yaml`. */
function accountLines(target: string): string {
  const { name: file } = parse(target);
  const name = [file === 'webdata' ? basename(dirname(target)) : file, 'main']
    .map((text) => text.replaceAll(/[^\w.-]+/g, '-').replace(/^[^A-Za-z0-9]+/, ''))
    .find((text) => text !== '');
  return `
# The account: locks and runs belong to this name, not to the URL of the service. Use the same name in all
# files and Pulumi stacks of the account, and another one for each other account.
${stringify({ account: name })}
`;
}

async function declarationText({ live, full, ...flags }: Flags, io: Io): Promise<string> {
  if (live || flags.byCount || flags.zone !== undefined) return liveDeclaration(flags, io);
  return full ? remarks + declarationTemplate(declarationSchema(version)) : commonTemplate;
}

function liveDeclaration(flags: Flags, io: Io): Promise<string> {
  return withPulled({ ...flags, name: 'live' }, io, async ({ yaml, zones }, session) =>
    withZoneRemarks(yaml, await session.view(accountView).list(zones)),
  );
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

const remarks = `#
# The IPs, settings and schedules that the account should have. To set a field, uncomment it and its parent keys.
# \${NAME} is replaced by an environment variable. Every field that stays commented out has a default.
`;

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
