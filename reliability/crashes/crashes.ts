/** The crash matrix: kills processes at every boundary and at random instants, and checks the state after each kill. */
import pLimit from 'p-limit';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { randomFrom } from '../frame/random.ts';
import { apply, parallelApply } from './apply.ts';
import { firing } from './firing.ts';
import type { Kind, Played } from './kind.ts';
import { drawnPoints, evenlySpread, instants, type Point, pointText } from './points.ts';
import { pulumiUp } from './pulumiUp.ts';
import { receiver } from './receiver.ts';
import { undo } from './undo.ts';

/** The number of kills of each kind, in the long and in the short form. */
export const kinds: readonly (readonly [kind: Kind, kills: number, short: number])[] = [
  [apply, 500, 5],
  [parallelApply, 500, 5],
  [undo, 500, 5],
  [firing, 500, 5],
  [receiver, 500, 5],
  [pulumiUp, 50, 2],
];

export const crashes: Campaign = {
  name: 'crashes',
  about:
    "Processes are killed (`kill -9`) at three kinds of moments: at every boundary of their stored state, that is before, half-way through and after each operation on a file or commit; at every request that changes something, where the request is lost, takes effect after the process is dead, or is not answered; and at random moments. A `pulumi up` is killed together with all processes that it has started. After each kill, the emulator's log shows what really happened.",
  repeat: 'npm run reliability -- crashes',
  async run(stage) {
    const limit = pLimit(stage.short ? 4 : 10);
    const possible = kinds.filter(([{ lacks }]) => lacks === undefined);
    const reports = await Promise.all(
      possible.map(([kind, kills, short]) => killAgain(kind, stage.short ? short : kills, stage, limit)),
    );
    const skipped = kinds.flatMap(([{ name, lacks }]) => (lacks === undefined ? [] : [`${name}: ${lacks}`]));
    return { ...outcomeOf(reports), skipped };
  },
};

export interface Report {
  kind: Pick<Kind, 'name' | 'holds'>;
  boundaries: number;
  atBoundaries: number;
  atInstants: number;
  failures: string[];
}

type Limit = ReturnType<typeof pLimit>;

export async function killAgain(kind: Kind, kills: number, stage: CampaignStage, limit: Limit): Promise<Report> {
  const seed = Number(process.env.RELIABILITY_SEED ?? Math.floor(Math.random() * 2 ** 31));
  const random = randomFrom(seed);
  const all = await limit(() => kind.boundaries(stage));
  const points = stage.short
    ? [...evenlySpread(all, kills - 1), ...instants(1, kind.spanMs, random)]
    : drawnPoints(all, kills, kind.spanMs, random);
  const report: Report = { kind, boundaries: all.length, atBoundaries: 0, atInstants: 0, failures: [] };
  await Promise.all(
    points.map((point) =>
      limit(async () => {
        const { killed, at, faults } = await untilKilled(kind, stage, point);
        if (at.at === 'instant') report.atInstants += 1;
        else report.atBoundaries += 1;
        const all = [...(killed ? [] : ['it was not killed, as it had ended before']), ...faults];
        const failures = all.map((fault) => `${kind.name}, killed at ${pointText(at)} (seed ${seed}): ${fault}`);
        for (const failure of failures) stage.say(failure);
        report.failures.push(...failures);
        const done = report.atBoundaries + report.atInstants;
        if (done % 25 === 0) stage.say(`${kind.name}: ${done} of ${points.length}, ${report.failures.length} failures`);
      }),
    ),
  );
  return report;
}

/** Kills earlier if the process ended before the point: at half the time, or at the previous operation. */
async function untilKilled(kind: Kind, stage: CampaignStage, at: Point): Promise<Played & { at: Point }> {
  const played = await kind.play(stage, at).catch((error: unknown) => ({
    killed: true,
    faults: [error instanceof Error ? (error.stack ?? error.message) : String(error)],
  }));
  const earlier = earlierThan(at);
  if (played.killed || earlier === undefined) return { ...played, at };
  const next = await untilKilled(kind, stage, earlier);
  return { ...next, faults: [...played.faults, ...next.faults] };
}

/** Runs differ in the number of operations: concurrent writes share a sync, and a run may fail early. */
function earlierThan(at: Point): Point | undefined {
  if (at.at === 'instant' && at.ms > 0) return { ...at, ms: Math.floor(at.ms / 2) };
  if (at.at !== 'instant' && at.number > 1) return { ...at, number: at.number - 1 };
  return undefined;
}

export function outcomeOf(reports: readonly Report[]): Outcome {
  const survived = ({ atBoundaries, atInstants }: Report) => atBoundaries + atInstants;
  return {
    counts: [
      ['processes killed', reports.reduce((sum, report) => sum + survived(report), 0)],
      ...reports.map((report) => [`of these, ${report.kind.name}`, survived(report)] as const),
    ],
    failures: reports.flatMap(({ failures }) => failures),
    tables: [
      {
        title: 'What was killed, and what is always true afterwards:',
        heads: ['killed', 'boundaries', 'kills at boundaries', 'at random instants', 'always true'],
        rows: reports.map(({ kind, boundaries, atBoundaries, atInstants }) => [
          kind.name,
          boundaries,
          atBoundaries,
          atInstants,
          kind.holds,
        ]),
      },
    ],
  };
}
