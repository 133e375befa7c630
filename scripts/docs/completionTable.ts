/** src/cli/completion/table.ts: what completion knows of the commands without loading any of them. */
import { commandLineOf } from '../../src/cli/completion/commandLine.ts';
import { kinds } from '../../src/resources/kinds.ts';
import type { LoadedProgram } from './program.ts';

export function completionTable({ program }: LoadedProgram): string {
  const collectionKinds = Object.fromEntries(kinds.map(({ collection, name }) => [collection, name]));
  return `/** Written by \`node scripts/docs.ts\`: all commands with their options, since loading them would take too long for a Tab. */
import type { CommandLine } from './commandLine.ts';

export const collectionKinds: Readonly<Record<string, string>> = ${literal(collectionKinds)};

export const commandLine: CommandLine = ${literal(commandLineOf(program))};
`;
}

function literal(value: unknown): string {
  return JSON.stringify(value).replaceAll(/"([A-Za-z]\w*)":/g, '$1:');
}
