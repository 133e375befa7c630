/** `webdata validate`. */
import type { Command } from 'commander';
import { printableLines } from '../../report/model/printable.ts';
import { configFrom } from '../execution/declaration.ts';
import { addExamples, type ConnectionFlags, withDeclarationFiles } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';

const usage = {
  'webdata validate': 'check webdata.yaml in this folder',
  'webdata validate -f base.yaml -f prod.yaml': 'check a base with an overlay',
};

export function addValidate(command: Command, { io, end }: Shell): void {
  withDeclarationFiles(command).action(async (flags: ConnectionFlags) => end(await validate(flags, io)));
  addExamples(command, usage);
}

async function validate(flags: ConnectionFlags, io: Io): Promise<ExitCode> {
  const { declared } = await configFrom(flags, io);
  const counts = [...Map.groupBy(declared, ({ collection }) => collection)].map(
    ([collection, its]) => `${its.length} ${inWords(its.length === 1 ? (its[0]?.kind ?? '') : collection)}`,
  );
  const files = (flags.file ?? ['webdata.yaml']).join(' with ');
  io.stdout.write(printableLines(`${files} is valid: ${counts.join(', ') || 'nothing is declared'}.\n`));
  return exitCodes.done;
}

/** `zoneIpAllocations` as `zone IP allocations`. */
function inWords(name: string): string {
  const words = name.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`).trim();
  return words.replaceAll(/\bip\b/g, 'IP');
}
