/** `webdata schema [DOCUMENT]`. */
import { Argument, type Command } from 'commander';
import type { z } from 'zod';
import { standardStream } from '../../base/files/textFile.ts';
import { declarationSchema, identified, jsonSchemaOf, schemaText } from '../../engine/doors/schema.ts';
import { version } from '../../version.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { outputPath, writeOutput } from '../output/outputFile.ts';

/** The schemas of the documents that commands print, by name. */
export type Documents = Readonly<Record<string, () => Promise<z.ZodType>>>;

export const addSchemaOf =
  (documents: Documents) =>
  (command: Command, { io, end }: Shell): void => {
    const document = new Argument('[document]', 'declaration, or report of `--format json`');
    command
      .addArgument(document.choices(['declaration', ...Object.keys(documents)]).default('declaration'))
      .option('--output <file>', 'output file; - for stdout (default: stdout)')
      .action(async (name: string, flags: { output?: string }) => end(await schema(name, documents[name], flags, io)));
    addExamples(command, {
      'webdata schema --output webdata.schema.json': 'for editors, named in the first line of the declaration',
      'webdata schema plan': 'schema of `webdata plan --format json`',
    });
  };

async function schema(
  name: string,
  load: Documents[string] | undefined,
  { output = standardStream }: { output?: string },
  io: Io,
): Promise<ExitCode> {
  const document =
    load === undefined ? declarationSchema(version) : identified(name, version, jsonSchemaOf(await load()));
  const text = schemaText(document);
  const option = `--output ${output}`;
  await writeOutput(option, outputPath(option, output, undefined, io), text, io);
  return exitCodes.done;
}
