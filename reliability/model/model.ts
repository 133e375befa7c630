/** `npm run reliability -- model`: random stories of an account, which the tool and a model of it play in lockstep. */
import fc from 'fast-check';
import type { AccountInput } from '../../src/emulator/index.ts';
import type { Campaign, CampaignStage, Outcome } from '../frame/campaign.ts';
import { commands } from './commands.ts';
import { countries, zoneNames } from './declaration.ts';
import { AccountState } from './state.ts';
import type { Counted } from './step.ts';
import { openTool } from './tool.ts';

export const model: Campaign = {
  name: 'model',
  about:
    'A model of an account, as a state machine, is compared with the tool and the emulator after every step. Steps edit the file; move IPs manually, ban them, lose and find them again, refresh and buy them; make and keep plans; apply them, one call or ten at a time, with and without `--max-moves`, and while another user moves IPs between two requests; undo runs; and check for drift. After every step, each IP is in exactly one zone, the same as in the model. No call violates `protect`, `keepAtLeast` or `maxMoves`. An apply sends exactly the calls of its plan, those of each zone in their order, and reaches the declaration, and a second plan after it is empty. A plan file that is out of date is rejected. An undo restores the earlier state, or sends no call. The calls that may incur charges according to the report are those that moved IPs.',
  repeat: 'npm run reliability -- model',
  run,
};

/** Stories are short, so that a failure can be understood. Seeds are consecutive, so that each story can be repeated alone. */
const storyLength = 60;
const storiesASeed = 3;
const firstSeed = 20_261_100;
/** The number of stories in parallel, because each waits for its emulator. */
const atATime = 4;

async function run(stage: CampaignStage): Promise<Outcome> {
  const goal = stage.short ? 250 : 12_000;
  const counts = new Map<Counted, number>();
  const count = (what: Counted) => void counts.set(what, (counts.get(what) ?? 0) + 1);
  const steps = () => counts.get('steps') ?? 0;
  const failures: string[] = [];
  let stories = 0;
  let seed = firstSeed;
  const tellStories = async () => {
    while (steps() < goal && failures.length < 5) {
      const details = await fc.check(
        story(stage.folder, count, () => (stories += 1)),
        {
          seed: seed++,
          numRuns: storiesASeed,
          interruptAfterTimeLimit: 600_000,
        },
      );
      if (details.failed) failures.push(failureText(details));
      stage.say(`${steps()} of ${goal} steps`);
    }
  };
  await Promise.all(Array.from({ length: atATime }, tellStories));
  return { counts: [['stories', stories], ...counts], failures };
}

function story(folder: string, count: (what: Counted) => void, begun: () => void) {
  return fc.asyncProperty(
    fc.commands(commands, { maxCommands: storyLength, size: 'max' }),
    fc.array(fc.tuple(fc.constantFrom(...zoneNames), fc.constantFrom(...countries)), { minLength: 4, maxLength: 14 }),
    fc.constantFrom<AccountInput['dialect']>({}, { migrate: 'all-or-nothing', countryCase: 'upper' }),
    async (steps, ips, dialect) => {
      begun();
      const account = new AccountState();
      for (const [zone, country] of ips) account.add(account.newIp(), zone, country);
      await using tool = await openTool(folder, accountOf(account, dialect));
      await tool.declare('');
      await fc.asyncModelRun(() => ({ model: account, real: { tool, count } }), steps);
    },
  );
}

function accountOf(account: AccountState, dialect: AccountInput['dialect']): AccountInput {
  const zones = zoneNames.map((zone) => [
    zone,
    { ips: account.in(zone).map((ip) => ({ ip, country: account.countryOf(ip) })) },
  ]);
  return { id: 'hl_model', zones: Object.fromEntries(zones), dialect };
}

interface Failed {
  seed: number;
  counterexamplePath: string | null;
  counterexample: readonly unknown[] | null;
  errorInstance: unknown;
}

function failureText({ seed, counterexamplePath, counterexample, errorInstance }: Failed): string {
  const [steps, ips, dialect] = counterexample ?? [];
  const why = errorInstance instanceof Error ? errorInstance.message : String(errorInstance);
  return `${why}\nseed ${seed}, path ${counterexamplePath}: ${steps}\nIPs ${JSON.stringify(ips)}, dialect ${JSON.stringify(dialect)}`;
}
