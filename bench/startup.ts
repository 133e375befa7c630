/** The cost of a start, against the start of Node. */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { accountFor, declarationFor } from './frame/accounts.ts';
import { type Benchmark, type Row, type Stage, unlessReached } from './frame/benchmark.ts';
import { startEmulator } from './frame/emulator.ts';
import { atMost, compared, type Goal, pairs } from './frame/pairs.ts';
import { runProcess, webdata } from './frame/process.ts';
import { inTime } from './frame/units.ts';

const declaration = `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [192.0.2.10, 192.0.2.11] }
      pricing: { count: { us: 10, de: 5 } }
    spare: parked
managerSettings:
  local: { zone: checkout, logs: 1000 }
`;

export const benchmark: Benchmark = {
  name: 'startup',
  about:
    '**startup**: `webdata --version`, `webdata --help`, `webdata validate` of a declaration of ten lines, and `webdata plan` of 10 IPs in 2 zones, against `node -e 0`; 20 pairs each. Node keeps compiled code in a cache folder, as after an earlier command. The start as in CI has `CI=true` and no cache folder, and is compared with the one that has it.',
  async run(stage) {
    writeFileSync(join(stage.folder, 'webdata.yaml'), declaration);
    const size = { ips: 10, zones: 2, moves: 0 };
    const small = join(stage.folder, 'plan');
    mkdirSync(small);
    writeFileSync(join(small, 'webdata.yaml'), declarationFor(size));
    const { env } = await startEmulator(stage, accountFor(size));
    return [
      await started(stage, 'start-up, `webdata --version`', ['--version'], atMost(1.5)),
      await started(stage, 'start-up, `webdata --help`', ['--help'], atMost(1.8)),
      unlessReached(
        await started(stage, 'start-up, `webdata validate`, a small file', ['validate'], atMost(2.5)),
        'of 85 ms of CPU time on a busy machine, 21 are Node, 16 load the first files, commander and the compiled code of zod, yaml and the declaration, 13 run that code, a third of it for built-in modules of Node, 20 read and check the file, and the rest collects garbage and compiles in other threads',
      ),
      unlessReached(
        await started(stage, 'start-up, `webdata plan` of 10 IPs', ['plan'], atMost(4.5), { cwd: small, env }),
        'of 157 ms of CPU time on a busy machine, 20 are Node, 20 load the first files, commander and the compiled code of the declaration and of plans, 20 run that code, 28 read the declaration and load the client, 10 run the code of the client and undici, 30 connect, read the zones, plan and report, and the rest collects garbage and compiles in other threads',
      ),
      await startedInCi(stage, { cwd: small, env }),
    ];
  },
};

interface Place {
  cwd?: string;
  env?: Readonly<Record<string, string>>;
}

/** A job in CI compiles everything. The other side has compiled it before. */
async function startedInCi(stage: Stage, place: Place): Promise<Row> {
  const plan = async (env: Readonly<Record<string, string>>) =>
    (await runProcess(stage, [...webdata, 'plan'], { ...place, env: { ...place.env, ...env } })).ms;
  const measured = await pairs(
    () => plan({ CI: 'true' }),
    () => plan({ XDG_CACHE_HOME: stage.folder }),
    { count: 20, warmUps: 2 },
  );
  return compared(
    'start-up as in CI, `webdata plan` of 10 IPs, to one with compiled code',
    measured,
    atMost(1.5),
    inTime,
  );
}

async function started(
  stage: Stage,
  what: string,
  args: readonly string[],
  goal: Goal,
  place: Place = {},
): Promise<Row> {
  const [node] = webdata;
  const options = { ...place, env: { ...place.env, XDG_CACHE_HOME: stage.folder } };
  const measured = await pairs(
    async () => (await runProcess(stage, [...webdata, ...args], options)).ms,
    async () => (await runProcess(stage, [node, '-e', '0'])).ms,
    { count: 20, warmUps: 2 },
  );
  return compared(what, measured, goal, inTime);
}
