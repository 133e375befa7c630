/** `webdata schema [DOCUMENT]`: the JSON Schema of the declaration, for editors, or of a document that programs read. */
import { Argument, type Command } from 'commander';
import { writeWholeFile } from '../../files/wholeFile.ts';
import { applySchema, historySchema, planSchema } from '../../report/json/schema.ts';
import {
  declarationSchema,
  identified,
  type JsonSchema,
  jsonSchemaOf,
  schemaText,
} from '../../sync/config/declarationSchema.ts';
import { version } from '../../version.ts';
import { examples } from '../options/examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { besideDeclaration } from '../output/outputFile.ts';

const documents = {
  declaration: () => declarationSchema(version),
  plan: () => identified('plan', version, jsonSchemaOf(planSchema())),
  apply: () => identified('apply', version, jsonSchemaOf(applySchema())),
  history: () => identified('history', version, jsonSchemaOf(historySchema())),
} satisfies Record<string, () => JsonSchema>;

type DocumentName = keyof typeof documents;

export function addSchema(command: Command, { io, end }: Shell): void {
  command
    .addArgument(
      new Argument('[document]', 'the declaration, or what `--format json` prints')
        .choices(Object.keys(documents))
        .default('declaration'),
    )
    .option('--out <file>', 'where to write (default: stdout)')
    .addHelpText(
      'after',
      examples({
        'webdata schema --out webdata.schema.json': 'for the first line of the declaration to name',
        'webdata schema plan': 'of what `webdata plan --format json` prints',
      }),
    )
    .action(async (document: DocumentName, flags: { out?: string }) => end(await schema(document, flags, io)));
}

async function schema(document: DocumentName, { out }: { out?: string }, io: Io): Promise<ExitCode> {
  const text = schemaText(documents[document]());
  if (out === undefined) io.stdout.write(text);
  else await writeWholeFile(besideDeclaration(`--out ${out}`, out, undefined, io), text);
  return exitCodes.done;
}
