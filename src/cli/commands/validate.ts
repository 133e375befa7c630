/** `webdata validate`: reads the declaration and says whether it is sound; calls nothing. */
import type { Command } from 'commander';
import { printableLines } from '../../report/model/printable.ts';
import { configFrom } from '../execution/declaration.ts';
import { examples } from '../options/examples.ts';
import { type ConnectionFlags, withDeclarationFiles } from '../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';

export function addValidate(command: Command, { io, end }: Shell): void {
  withDeclarationFiles(command)
    .addHelpText(
      'after',
      examples({
        'webdata validate': 'webdata.yaml, in this folder',
        'webdata validate -f base.yaml -f prod.yaml': 'a base with an overlay',
      }),
    )
    .action(async (flags: ConnectionFlags) => end(await validate(flags, io)));
}

async function validate(flags: ConnectionFlags, io: Io): Promise<ExitCode> {
  const { declared } = await configFrom(flags, io);
  const counts = [...Map.groupBy(declared, ({ collection }) => collection)].map(
    ([name, its]) => `${its.length} ${name}`,
  );
  const files = (flags.file ?? ['webdata.yaml']).join(' with ');
  io.stdout.write(printableLines(`${files} is valid: ${counts.join(', ') || 'nothing is declared'}.\n`));
  return exitCodes.done;
}
