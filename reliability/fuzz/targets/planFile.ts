/** Plan files: `apply FILE` reads them and compares them with the declaration, occasionally as a whole command on an account. */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readAccount } from '../../../src/emulator/index.ts';
import { bareConfig, type Config } from '../../../src/engine/declaration/config.ts';
import { readPlanFile } from '../../../src/engine/plan/planFile.ts';
import {
  assertDeclaredByPlan,
  filesOfPlan,
  isPruning,
  selectedIn,
  verifyPlanFile,
} from '../../../src/engine/plan/upToDate.ts';
import { openWorld } from '../../frame/world.ts';
import { jsonBomb } from '../bombs.ts';
import { mutatedJson, mutatedText, oddTexts } from '../mutate.ts';
import type { Random } from '../random.ts';
import { type FuzzGround, type FuzzTarget, shown } from '../target.ts';

interface Input {
  text: string;
  byCommand: boolean;
}

const file = 'plan.json';

export async function openPlanFile(ground: FuzzGround): Promise<FuzzTarget<Input>> {
  const world = await openWorld(ground.folder, await readAccount('examples/accounts/plain.yaml'));
  const { emulator, folder, env, write, webdata } = world;
  await write('webdata.yaml', declaration);
  await webdata('plan', '--output', file);
  const plain = JSON.parse(await readFile(join(folder, file), 'utf8'));
  await write('webdata.yaml', '');
  const examples = [plain, withRegistrations(plain)];

  async function byCommand(): Promise<string> {
    emulator.clearRequests();
    const { code, text } = await webdata('apply', file, '--yes', '--lock-timeout', '0');
    const effects = emulator.requests().filter(({ effect }) => effect !== null);
    return code !== 0 && effects.length > 0 ? `internal error: refused, and ${effects.length} calls made` : text;
  }

  return {
    make: (random, number) => ({ text: textFrom(random, number, examples), byCommand: number % 250 === 1 }),
    async take(input) {
      await write(file, input.text);
      return input.byCommand ? byCommand() : parsed(folder, bareConfig({ env }));
    },
    show: ({ text, byCommand }) => `${byCommand ? 'apply ' : ''}${shown(text, 4000)}`,
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function parsed(folder: string, config: Config): Promise<string> {
  const plan = await readPlanFile(file, { cwd: folder });
  const said = `${selectedIn(plan)} ${isPruning(plan)}`;
  const { origin, version, backend } = plan;
  verifyPlanFile(plan, undefined, { origin, version, backend });
  filesOfPlan(plan, folder);
  assertDeclaredByPlan(plan, config);
  return said.slice(0, 0);
}

function textFrom(random: Random, number: number, examples: readonly object[]): string {
  const example = random.pick(examples);
  if (number % 500 === 0) {
    const bomb = (inner: string) =>
      JSON.stringify({ ...example, declaration: { zoneIpAllocations: 0 } }).replace('0}', `${inner}}`);
    return jsonBomb(random, random.oneIn(2) ? bomb : undefined);
  }
  if (random.oneIn(5))
    return mutatedText(
      random,
      examples.map((each) => JSON.stringify(each)),
      oddTexts,
    );
  return mutatedJson(random, example);
}

const declaration = `service: { profile: { settleSeconds: 0 } }
zoneIpAllocations:
  static:
    zones: { checkout: { ips: [192.0.2.10], count: 9, keepAtLeast: 2 }, archive: { count: { gb: 5 } } }
    sources: [pricing]
    spare: parked
    maxMoves: 50%
managerSettings:
  local: { logs: 500, whitelistIps: [10.0.0.0/8, 192.0.2.1], absentPorts: [24010] }
`;

function withRegistrations(plan: { declaration: object; resources: object[] }): object {
  const registration = { triggers: 'http://127.0.0.1:22997', record: 'schedule', owner: 'acme', name: 'nightly' };
  const schedule = { collector: 'c_prices', every: '1h', inputs: [{ url: 'https://shop.example.com/a' }] };
  const delivery = { endpoint: 'https://hooks.example.com/x', authorization: { sealed: { salt: 'a', hash: 'b' } } };
  return {
    ...plan,
    owner: 'acme',
    declaration: {
      ...plan.declaration,
      collectorSchedules: { nightly: schedule },
      webhookDeliveries: { main: delivery },
    },
    resources: [
      ...plan.resources,
      {
        collection: 'collectorSchedules',
        name: 'nightly',
        calls: [{ type: 'register', ...registration, digest: 'd', before: null }],
        fingerprints: {},
      },
      {
        collection: 'webhookDeliveries',
        name: 'gone',
        calls: [{ type: 'unregister', ...registration }],
        fingerprints: {},
      },
    ],
  };
}
