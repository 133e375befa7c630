/** `webdata init [FILE]`: writes a declaration to begin with, and the schema that editors check it with. */
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type Command, Option } from 'commander';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { printableLines } from '../../report/model/printable.ts';
import { declarationSchema, schemaText } from '../../sync/config/declarationSchema.ts';
import { declarationTemplate } from '../../sync/config/declarationTemplate.ts';
import { withZoneRemarks } from '../../sync/pull/remarks.ts';
import { version } from '../../version.ts';
import { examples } from '../options/examples.ts';
import { type ConnectionFlags, collect, withService } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { keepApart, newFile } from '../output/outputFile.ts';
import { withPulled } from './pull.ts';

interface Flags extends ConnectionFlags {
  zone?: string[];
  live?: boolean;
  force?: boolean;
}

const schemaFile = 'webdata.schema.json';

export function addInit(command: Command, { io, end }: Shell): void {
  withService(command)
    .argument('[file]', 'the file to write', 'webdata.yaml')
    .addOption(new Option('--live', 'declare the zones that were used lately, as they are').conflicts('zone'))
    .option('--zone <zone>', 'declare this zone as it is; again for more', collect)
    .option('--force', 'write over a file that is there')
    .addHelpText(
      'after',
      examples({
        'webdata init': 'a declaration with every field, commented out',
        'webdata init --zone checkout --zone pricing': 'what these two zones hold now',
        'webdata init prod.yaml --live': 'what the zones hold that were used lately',
      }),
    )
    .action(async (target: string, flags: Flags) => end(await init(target, flags, io)));
}

async function init(name: string, { live, force = false, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const target = newFile(name, name, force, io);
  const schemaTarget = join(dirname(target), schemaFile);
  if (!force && !(await isOurs(schemaTarget))) newFile(schemaFile, schemaTarget, force, io);
  keepApart([{ what: schemaFile, file: schemaTarget }], [{ what: 'the declaration', file: target }], io);
  const schema = declarationSchema(version);
  const text =
    live || flags.zone !== undefined ? await liveDeclaration(flags, io) : remarks + declarationTemplate(schema);
  await mkdir(dirname(target), { recursive: true });
  await writeWholeFile(target, `${editorLine}${text}`);
  io.stdout.write(printableLines(`Wrote ${name}.\n`));
  if (await writeSchema(schemaTarget, schemaText(schema)))
    io.stdout.write(
      printableLines(`Wrote ${join(dirname(name), schemaFile)}: editors check the declaration with it.\n`),
    );
  io.stdout.write(printableLines(nextSteps(name)));
  return exitCodes.done;
}

function liveDeclaration(flags: Flags, io: Io): Promise<string> {
  return withPulled({ ...flags, name: 'live' }, io, async ({ yaml, zones }, { account }) =>
    withZoneRemarks(yaml, await account.list(zones)),
  );
}

/** A schema that this tool wrote, of any version, or none at all. */
async function isOurs(file: string): Promise<boolean> {
  return !existsSync(file) || /"\$id": "urn:webdata:/.test(await readFile(file, 'utf8'));
}

/** It is generated, and nobody's to edit. Whether it had to be written. */
async function writeSchema(file: string, text: string): Promise<boolean> {
  if (existsSync(file) && (await readFile(file, 'utf8')) === text) return false;
  await writeWholeFile(file, text);
  return true;
}

const editorLine = `# yaml-language-server: $schema=${schemaFile}\n`;

const remarks = `#
# What the account is to hold. A line that begins with # and a word is a field: take the # away, and those of the
# lines above that it stands in. \${NAME} is put in from the environment. Everything else has a default.
`;

function nextSteps(name: string): string {
  const quoted = /^[\w./-]+$/.test(name) ? name : `'${name.replaceAll("'", "'\\''")}'`;
  const file = name === 'webdata.yaml' ? '' : ` -f ${quoted}`;
  return `
Next:
  webdata validate${file}
  webdata plan${file}

Keep .webdata/ (the journal) and keys out of git: the key belongs into WEBDATA_API_KEY.
`;
}
