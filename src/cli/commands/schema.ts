/** `webdata schema [DOCUMENT]`. */
import { Argument, type Command } from 'commander';
import { standardStream } from '../../base/files/textFile.ts';
import { declarationSchema, identified, type JsonSchema, jsonSchemaOf, schemaText } from '../../engine/doors/schema.ts';
import { doctorSchema } from '../../features/doctor/schema.ts';
import { historySchema } from '../../features/history/historyJson.ts';
import { accountsSchema, applySchema, planSchema } from '../../report/json/schema.ts';
import { version } from '../../version.ts';
import { addExamples } from '../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../output/io.ts';
import { outputPath, writeOutput } from '../output/outputFile.ts';
import { validationSchema } from '../output/validationDocument.ts';

const documents = {
  declaration: () => declarationSchema(version),
  plan: () => identified('plan', version, jsonSchemaOf(planSchema())),
  apply: () => identified('apply', version, jsonSchemaOf(applySchema())),
  accounts: () => identified('accounts', version, jsonSchemaOf(accountsSchema())),
  history: () => identified('history', version, jsonSchemaOf(historySchema())),
  validation: () => identified('validation', version, jsonSchemaOf(validationSchema())),
  doctor: () => identified('doctor', version, jsonSchemaOf(doctorSchema())),
} satisfies Record<string, () => JsonSchema>;

type DocumentName = keyof typeof documents;

const usage = {
  'webdata schema --output webdata.schema.json': 'for editors, named in the first line of the declaration',
  'webdata schema plan': 'schema of `webdata plan --format json`',
};

export function addSchema(command: Command, { io, end }: Shell): void {
  const document = new Argument('[document]', 'declaration, or report of `--format json`');
  command
    .addArgument(document.choices(Object.keys(documents)).default('declaration'))
    .option('--output <file>', 'output file; - for stdout (default: stdout)')
    .action(async (name: DocumentName, flags: { output?: string }) => end(await schema(name, flags, io)));
  addExamples(command, usage);
}

async function schema(
  document: DocumentName,
  { output = standardStream }: { output?: string },
  io: Io,
): Promise<ExitCode> {
  const text = schemaText(documents[document]());
  const option = `--output ${output}`;
  await writeOutput(option, outputPath(option, output, undefined, io), text, io);
  return exitCodes.done;
}
