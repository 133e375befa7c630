/** `webdata fmt [FILE…]`. */
import type { Command } from 'commander';
import { shownName, standardStream } from '../../base/files/textFile.ts';
import { printableLine } from '../../base/values/printable.ts';
import { formatYaml } from '../../base/yaml/format.ts';
import { filesNamed, readDeclarationText } from '../../engine/doors/declaration.ts';
import { errorText } from '../execution/errorText.ts';
import { addExamples, collect } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { writeOutput } from '../output/outputFile.ts';

interface Flags {
  file?: string[];
  check?: boolean;
}

export function addFmt(command: Command, { io, end }: Shell): void {
  command
    .argument(
      '[file...]',
      'files, or folders with .yaml and .yml files; - for stdin, formatted on stdout (default: webdata.yaml)',
    )
    .option('-f, --file <file>', 'the same as an argument; repeatable', collect)
    .option('--check', 'change nothing; exit with 2 if a file is not formatted')
    .action(async (names: string[], { file = [], check = false }: Flags) => {
      const all = [...names, ...file];
      end(await fmt(all, check, io));
    });
  addExamples(command, {
    'webdata fmt': 'format webdata.yaml',
    'webdata fmt --check base.yaml prod.yaml': 'for CI: exit 2 if a file is not formatted',
  });
}

/** Prints the names of the files that are not formatted, and formats them unless `check`. */
async function fmt(names: readonly string[], check: boolean, io: Io): Promise<ExitCode> {
  let code: ExitCode = exitCodes.done;
  const named = (await Promise.all(names.map((name) => filesNamed(name, io.cwd)))).flat();
  for (const { file, isFound } of names.length === 0 ? [{ file: 'webdata.yaml', isFound: true }] : named) {
    try {
      const text = await readDeclarationText(file, { ...io, isFound });
      const formatted = formatYaml(text, shownName(file));
      if (file === standardStream && !check) {
        io.stdout.write(formatted);
        continue;
      }
      if (formatted === text) continue;
      if (!check) await writeOutput(file, file, formatted, io);
      if (check && code === exitCodes.done) code = exitCodes.changes;
      io.stdout.write(printableLine(shownName(file)));
    } catch (error) {
      io.stderr.write(errorText(error, io));
      code = exitCodes.error;
    }
  }
  return code;
}
