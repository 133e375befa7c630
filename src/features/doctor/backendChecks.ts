/** Checks of the backend: its address, the lock, the journal and the baseline. They write nothing. */
import { constants } from 'node:fs';
import { access } from 'node:fs/promises';
import { dirname } from 'node:path';
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import { type AccountBackend, accountRemarks, describeHolder } from '../../engine/doors/backend.ts';
import { declarationsIn, otherDeclarations, ownBaseline, readBaseline } from '../../engine/doors/baseline.ts';
import { type Config, recordedPlace } from '../../engine/doors/declaration.ts';
import { type Run, readJournal } from '../../engine/doors/history.ts';
import { openCalls, shortRunId } from '../../engine/doors/plan.ts';
import { attempt, type Check } from './check.ts';

/** Opens the backend and closes it when `action` has ended. */
export type WithBackend = <T>(action: (backend: AccountBackend) => Promise<T>) => Promise<T>;

interface BackendFindings {
  checks: Check[];
  /** The runs of the journal, the oldest first; empty if it cannot be read. */
  runs: readonly Run[];
}

export async function backendChecks(config: Config, withBackend: WithBackend): Promise<BackendFindings> {
  let runs: readonly Run[] = [];
  const checks = await attempt('backend', () =>
    withBackend(async (backend) => {
      const reached = await reachedCheck(backend);
      if (reached.some(({ result }) => result === 'failed')) return reached;
      const lock = await attempt('lock', () => lockCheck(backend));
      const journal = await attempt('journal', async () => {
        runs = await readJournal(backend);
        return journalCheck(backend, runs);
      });
      const account = await attempt('account', () => accountCheck(backend, runs));
      const baseline = await attempt('baseline', () => baselineCheck(backend, config));
      return [...reached, ...account, ...lock, ...journal, ...baseline];
    }),
  );
  return { checks, runs };
}

async function reachedCheck(backend: AccountBackend): Promise<Check[]> {
  const name = 'backend';
  if (backend.isShared) {
    // The first read shows whether the store can be reached: opening a store sends nothing.
    await backend.lockHolder();
    const text = `${backend.address} can be read; only a run shows whether it can be written`;
    const risk = await backend.risk();
    if (risk !== undefined) return [{ name, result: 'note', text: `${text}; ${risk}` }];
    return [{ name, result: 'ok', text }];
  }
  const folder = dirname(backend.address);
  const error = await access(folder, constants.R_OK | constants.W_OK).then(
    () => undefined,
    ({ code }: NodeJS.ErrnoException) => code,
  );
  if (error === undefined) return [{ name, result: 'ok', text: `folder ${folder}, for this machine only` }];
  if (error === 'ENOENT') {
    return [{ name, result: 'ok', text: `folder ${folder} does not exist; the first run creates it` }];
  }
  const fix = 'make this user the owner of the folder, or name another one with --backend';
  return [{ name, result: 'failed', text: `folder ${folder} cannot be read and written (${error})`, fix }];
}

async function accountCheck(backend: AccountBackend, runs: readonly Run[]): Promise<Check[]> {
  const name = 'account';
  backend.assertNamed();
  const { account = 'without a name', formerly = [] } = backend.identity;
  const others = backend.otherNames;
  const text = [
    account,
    ...(formerly.length > 0 ? [`formerly ${formerly.join(', ')}`] : []),
    ...(others.length > 0 ? [`other accounts at the server: ${others.join(', ')}`] : []),
  ].join('; ');
  const isEmpty = runs.length === 0 && (await readBaseline(backend)) === undefined;
  const remarks = await accountRemarks(backend, { isEmpty });
  return [
    { name, result: 'ok', text },
    ...remarks.map(({ found, fix }): Check => ({ name, result: 'note', text: found, fix })),
  ];
}

async function lockCheck(backend: AccountBackend): Promise<Check[]> {
  const holder = await backend.lockHolder();
  if (holder === undefined) return [{ name: 'lock', result: 'ok', text: 'free' }];
  const fix = 'wait until it ends; if it no longer runs, `webdata unlock` takes the lock away';
  return [{ name: 'lock', result: 'note', text: describeHolder(holder), fix }];
}

/** The worst finding leads: damage, then calls whose outcome is open, then a run without an end. */
function journalCheck({ logName }: AccountBackend, runs: readonly Run[]): Check[] {
  const name = 'journal';
  const last = runs.at(-1);
  if (last === undefined) return [{ name, result: 'ok', text: 'no runs yet' }];
  const about = `${counted(runs.length, 'run')}; the last one, ${last.command} ${shortRunId(last)} of ${utcTime(last.startedAt)}, ${endOf(last)}`;
  const damaged = runs.filter(({ damage }) => damage !== undefined);
  if (damaged.length > 0) {
    const text = `${logName} is damaged in ${counted(damaged.length, 'run')}; ${about}`;
    return [{ name, result: 'note', text, fix: '`webdata history` shows what is known of them' }];
  }
  const open = runs.flatMap(openCalls);
  if (open.length > 0) {
    const text = `the outcome of ${counted(open.length, 'call')} is open; ${about}`;
    return [{ name, result: 'note', text, fix: '`webdata plan` looks them up; `webdata history` shows them' }];
  }
  if (last.ended !== undefined) return [{ name, result: 'ok', text: about }];
  return [{ name, result: 'note', text: about, fix: '`webdata plan` shows what is left to do' }];
}

function endOf({ ended }: Run): string {
  if (ended === undefined) return 'was interrupted or is under way';
  return ended.result === 'done' ? 'is done' : 'failed';
}

async function baselineCheck(backend: AccountBackend, config: Config): Promise<Check[]> {
  const name = 'baseline';
  const declarations = declarationsIn(await readBaseline(backend), backend.account);
  const places = config.places.map((place) => recordedPlace(place, backend));
  const known = ownBaseline(declarations, places) ?? { resources: [] };
  const ofOthers = otherDeclarations(declarations, places).flatMap(({ resources }) => resources).length;
  const others = ofOthers === 0 ? '' : `; ${formatNumber(ofOthers)} of other declarations of this account`;
  if (known.resources.length === 0 && ofOthers === 0) {
    const text = 'none yet: drift and pending changes cannot be told apart until the first apply';
    return [{ name, result: 'ok', text }];
  }
  const latest = known.resources
    .map(({ at }) => at)
    .sort()
    .at(-1);
  const when = latest === undefined ? '' : `, the latest of ${utcTime(latest)}`;
  return [{ name, result: 'ok', text: `${counted(known.resources.length, 'applied resource')}${when}${others}` }];
}
