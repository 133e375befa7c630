/** `webdata validate`. */
import type { Command } from 'commander';
import { assertNoProblems } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { jsonText, printableLine } from '../../base/values/printable.ts';
import { configFrom, declaredFileProblems, explainedProblems } from '../../engine/doors/declaration.ts';
import { errorText } from '../execution/errorText.ts';
import { type AllFlags, type ConnectionFlags, withAll, withDeclarationFiles } from '../options/options.ts';
import { addExamples, formatOption } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import type { ValidatedDeclaration } from '../output/validationDocument.ts';

interface Flags extends ConnectionFlags, AllFlags {
  format: 'text' | 'json';
}

export function addValidate(command: Command, { io, end }: Shell): void {
  withAll(withDeclarationFiles(command))
    .addOption(formatOption(['text', 'json']))
    .action(async (flags: Flags) => end(await validate(flags, io)));
  addExamples(command, {
    'webdata validate': 'check webdata.yaml in this folder',
    'webdata validate -f base.yaml -f prod.yaml': 'check a base with an overlay',
    'webdata validate --format json': 'the result and the problems, for programs',
  });
}

/** Validates every file with the local files that it names, also after one that is not valid. */
async function validate(flags: Flags, io: Io): Promise<ExitCode> {
  const isAll = flags.all !== undefined;
  const accounts = isAll
    ? await (await import('../execution/accountFiles.ts')).readAccounts(flags, io)
    : [{ files: flags.file ?? ['webdata.yaml'] }];
  const validations: Validation[] = [];
  for (const { files } of accounts) validations.push(await validationOf(files, flags, io));
  const invalid = validations.filter(({ error }) => error !== undefined).length;
  if (flags.format === 'json') {
    const { validationDocument } = await import('../output/validationDocument.ts');
    io.stdout.write(jsonText(validationDocument(validations)));
  } else {
    for (const each of validations) {
      if (each.error === undefined) io.stdout.write(validText(each));
      else (isAll ? io.stdout : io.stderr).write(errorText(each.error, io));
    }
    const outcome = invalid === 0 ? 'all valid' : `${invalid} not valid`;
    if (isAll) io.stdout.write(`${counted(accounts.length, 'account')}: ${outcome}.\n`);
  }
  return invalid === 0 ? exitCodes.done : exitCodes.error;
}

interface Validation extends ValidatedDeclaration {
  /** The kind of each collection. */
  kinds: ReadonlyMap<string, string>;
  error?: unknown;
}

async function validationOf(files: readonly string[], flags: Flags, io: Io): Promise<Validation> {
  try {
    const config = await configFrom({ ...flags, file: [...files] }, io);
    assertNoProblems(await declaredFileProblems(config));
    const { declared } = config;
    const byCollection = Map.groupBy(declared, ({ collection }) => collection);
    const resources = Object.fromEntries(
      [...byCollection].map(([collection, declared]) => [collection, declared.length]),
    );
    const kinds = new Map(declared.map(({ collection, kind }) => [collection, kind]));
    return { files, resources, problems: [], kinds };
  } catch (error) {
    const problems = explainedProblems(error, io.signal);
    return { files, resources: {}, problems, kinds: new Map(), error };
  }
}

function validText({ files, resources, kinds }: Validation): string {
  const counts = Object.entries(resources).map(
    ([collection, count]) => `${count} ${inWords(count === 1 ? (kinds.get(collection) ?? '') : collection)}`,
  );
  return printableLine(`${files.join(' with ')} is valid: ${counts.join(', ') || 'nothing is declared'}.`);
}

/** `zoneIpAllocations` as `zone IP allocations`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.replaceAll(/\bip\b/g, 'IP');
}
