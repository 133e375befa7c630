/** `webdata validate`. */
import type { Command } from 'commander';
import { counted } from '../../diagnostics/valueWords.ts';
import { configFrom, withoutLists } from '../../engine/declaration.ts';
import { printableLine } from '../../values/printable.ts';
import { readAccounts } from '../execution/accountFiles.ts';
import { errorText } from '../execution/explain.ts';
import { type AllFlags, type ConnectionFlags, withAll, withDeclarationFiles } from '../options/options.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';

interface Flags extends ConnectionFlags, AllFlags {}

const usage = {
  'webdata validate': 'check webdata.yaml in this folder',
  'webdata validate -f base.yaml -f prod.yaml': 'check a base with an overlay',
};

export function addValidate(command: Command, { io, end }: Shell): void {
  withAll(withDeclarationFiles(command)).action(async (flags: Flags) =>
    end(await (flags.all === undefined ? validate(flags, io) : validateAccounts(flags, io))),
  );
  addExamples(command, usage);
}

/** Validates every file, also after one that is not valid. */
async function validateAccounts(flags: Flags, io: Io): Promise<ExitCode> {
  const accounts = await readAccounts(flags, io);
  let invalid = 0;
  for (const { files } of accounts) {
    try {
      await validate({ ...flags, file: files }, io);
    } catch (error) {
      invalid += 1;
      io.stdout.write(errorText(error, io));
    }
  }
  const outcome = invalid === 0 ? 'all valid' : `${invalid} not valid`;
  io.stdout.write(`${counted(accounts.length, 'account')}: ${outcome}.\n`);
  return invalid === 0 ? exitCodes.done : exitCodes.error;
}

async function validate(flags: ConnectionFlags, io: Io): Promise<ExitCode> {
  const { declared, skippedLists } = await configFrom(flags, io, withoutLists);
  const counts = [...Map.groupBy(declared, ({ collection }) => collection)].map(
    ([collection, its]) => `${its.length} ${inWords(its.length === 1 ? (its[0]?.kind ?? '') : collection)}`,
  );
  const files = (flags.file ?? ['webdata.yaml']).join(' with ');
  io.stdout.write(printableLine(`${files} is valid: ${counts.join(', ') || 'nothing is declared'}.`));
  if (skippedLists > 0) {
    io.stdout.write(`Not checked: ${counted(skippedLists, 'list')} that \`webdata plan\` fetches by URL or command.\n`);
  }
  return exitCodes.done;
}

/** `zoneIpAllocations` as `zone IP allocations`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.replaceAll(/\bip\b/g, 'IP');
}
