/** An apply during `pulumi up` on the same account. */
import { mkdtemp, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { hasEngine, openProject } from '../../test/e2e/pulumi/harness.ts';
import { chargedOnce, expected } from '../crashes/checks.ts';
import { after, changesInAll, movesAccount, movesDeclaration, placesOf } from '../crashes/moves.ts';
import { placesInState, wholeProgram } from '../crashes/pulumiUp.ts';
import { applying, endedInWords, journaledMoves, reallyMoved, saidMoved } from './agreement.ts';
import type { Race } from './race.ts';

export const besideUpdate: Race = {
  name: 'an apply beside a pulumi up',
  holds:
    'they take turns: every IP is moved once, with no unnecessary call; the report, the journal and the state of the stack are correct',
  lacks: hasEngine ? undefined : 'no Pulumi engine: `npm run pulumi:install`',
  times: 3,
  short: 0,
  run: async ({ folder: stageFolder }, random) => {
    await using project = await openProject(movesAccount);
    const { emulator } = project;
    const folder = await mkdtemp(join(stageFolder, 'beside-'));
    await writeFile(join(folder, 'webdata.yaml'), movesDeclaration);
    await project.program(wholeProgram);
    const updating = project.pulumi('up', '--yes', '--skip-preview');
    await sleep(random() * 4000);
    const env = {
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_MANAGER_URL: emulator.managerUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
    };
    const applied = await applying(folder, env, '--lock-timeout', '60');
    const updated = await updating;
    const byApply = saidMoved(applied);
    const byUpdate = (await project.state('ZoneIpAllocation')).flatMap(({ outputs }) => ipsIn(outputs.moved));
    return {
      cameTo: `${byUpdate.length} IPs moved by the update, ${byApply.length} by the apply`,
      faults: [
        ...endedInWords('the apply', applied),
        ...expected('exit codes', [0, 0], [applied.code, updated.code]),
        ...expected('moved, by both', reallyMoved({ emulator }), [...byApply, ...byUpdate].toSorted()),
        ...expected('in the journal', byApply, await journaledMoves(join(folder, '.webdata/journal.jsonl'))),
        ...chargedOnce({ emulator }, after.length, changesInAll - 1),
        ...expected('places', after, placesOf(emulator)),
        ...expected('places in the state', after, await placesInState(project)),
      ],
    };
  },
};

function ipsIn(moved: unknown): string[] {
  return Array.isArray(moved) ? moved.map(({ ip }: { ip: string }) => ip) : [];
}
