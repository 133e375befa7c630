/** Journals: read, shown and undone, occasionally by whole commands on an account. */
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAccount } from '../../../src/emulator/index.ts';
import { openCalls } from '../../../src/engine/run/applyResult.ts';
import { readJournal } from '../../../src/engine/run/journalReader.ts';
import { runToUndo } from '../../../src/engine/undo/target.ts';
import { historyJson } from '../../../src/features/history/historyJson.ts';
import { historyText } from '../../../src/features/history/text.ts';
import { factsOf } from '../../../src/kinds/knownCalls.ts';
import { journalAt } from '../../../test/engine/journalAt.ts';
import { openWorld } from '../../frame/world.ts';
import { jsonBomb } from '../bombs.ts';
import { mutatedJson, mutatedText, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { type FuzzGround, type FuzzTarget, shown } from '../target.ts';

interface Input {
  text: string;
  args?: string[] | undefined;
}

export async function openJournal(ground: FuzzGround): Promise<FuzzTarget<Input>> {
  const world = await openWorld(ground.folder, await readAccount('examples/accounts/plain.yaml'));
  const { folder, write, webdata } = world;
  const journal = join(folder, '.webdata', 'journal.jsonl');
  await write('webdata.yaml', declaration);
  for (const args of [['apply'], ['undo'], ['undo']]) await webdata(...args, '--yes');
  await webdata('zones', 'migrate', '--from', 'checkout', '--to', 'parked', '--yes', '192.0.2.40');
  const lines = (await readFile(journal, 'utf8')).trim().split('\n');
  const examples = [...lines, ...registrations].map((line) => JSON.parse(line));

  return {
    make: (random, number) => ({
      text: textFrom(random, number, examples),
      args: number % 250 === 1 ? random.pick(commands) : undefined,
    }),
    async take({ text, args }) {
      await writeFile(journal, text);
      return args === undefined ? parsed(journal) : (await webdata(...args)).text;
    },
    show: ({ text, args }) => `${args?.join(' ') ?? ''} ${shown(text, 4000)}`,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function parsed(journal: string): Promise<string> {
  const runs = await readJournal(journalAt(journal));
  const said = [...historyText(runs, { color: false }), ...historyJson(runs)].join('');
  runs.flatMap(({ calls }) => calls).flatMap(factsOf);
  runs.flatMap(openCalls);
  if (runs.length > 0) runToUndo(runs);
  return said;
}

const commands = [
  ['history'],
  ['history', '--format', 'json'],
  ['undo', '--yes', '--lock-timeout', '0'],
  ['plan', '--select', 'ZoneIpAllocation/static'],
];

/** Returns lines in any order: unchanged, changed, and doubled. */
function textFrom(random: Random, number: number, examples: readonly object[]): string {
  if (number % 500 === 0) return `${jsonBomb(random)}\n${JSON.stringify(examples[0])}\n`;
  if (random.oneIn(6)) return mutatedText(random, [examples.map((each) => JSON.stringify(each)).join('\n')], oddTexts);
  const bent = random.below(examples.length);
  const lines = examples.map((each, index) =>
    index === bent || random.oneIn(12) ? mutatedJson(random, each) : JSON.stringify(each),
  );
  if (random.oneIn(8)) lines.splice(random.below(lines.length), 1);
  return `${lines.join('\n')}${random.oneIn(5) ? '' : '\n'}`;
}

const declaration = `service: { profile: { settleSeconds: 0 } }
zoneIpAllocations: { static: { zones: { checkout: { ips: [192.0.2.10] } }, sources: [pricing] } }
managerSettings: { local: { logs: 500, absentPorts: [24010] } }
`;

const at = '2026-07-01T10:00:00.000Z';
const run = { run: '5f0d1f0a-0000-4000-8000-000000000001', at };
const resource = { kind: 'CollectorSchedule', collection: 'collectorSchedules', name: 'nightly' };
const record = { triggers: 'http://127.0.0.1:22997', record: 'schedule', owner: 'acme', name: 'nightly' };

/** Calls that the runs above do not contain. */
const registrations = [
  { type: 'run', ...run, command: 'apply', origin: 'http://127.0.0.1:1', version: '0.1.0', plan: 'p', undoes: 'r' },
  { type: 'sending', ...run, seq: 0, resource, call: { type: 'register', ...record, digest: 'd', before: null } },
  { type: 'answered', ...run, seq: 0 },
  { type: 'sending', ...run, seq: 1, resource, call: { type: 'unregister', ...record } },
  { type: 'failed', ...run, seq: 1, code: 'timed-out', message: 'no answer', effect: 'unknown' },
  { type: 'seen', ...run, seq: 1, took: false },
  { type: 'end', ...run, result: 'failed' },
].map((entry) => JSON.stringify(entry));
