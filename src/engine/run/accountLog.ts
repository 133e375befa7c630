/**
 * The log of an account: the runs in its backend, and the paid calls of everyone who works on this machine. Every front records what it pays for
 * here, while it holds the lock of the account, and looks here before it sends anything.
 */
import { createHash } from 'node:crypto';
import { mayIncurCharges } from '../../kinds/knownCalls.ts';
import { version } from '../../version.ts';
import type { Backend } from '../backend/backend.ts';
import { openMachineLog } from '../backend/folder/machineLog.ts';
import type { Config } from '../declaration/config.ts';
import type { AccountBackend, OtherAccounts } from '../identity/accountBackend.ts';
import { type AccountIdentity, isSameAccount, isSameServer } from '../identity/accountIdentity.ts';
import { openCalls } from './applyResult.ts';
import {
  beginRun,
  type JournaledCall,
  type ReadBackFinding,
  type Run,
  type RunHeader,
  type RunMeta,
  type RunWriter,
  recordFindings,
} from './journal.ts';
import {
  ageOfLog,
  type HistoryPage,
  pageOf,
  type RecentRuns,
  readFromEnd,
  readHistoryPage,
  readJournal,
  readRecentRuns,
} from './journalReader.ts';
import { startedBy } from './runStarter.ts';

export interface AccountLog {
  begin(header: RunHeader): Promise<RunWriter>;
  /**
   * Returns the runs that matter to a plan, also those of other names at the server: those with open calls, and the last ones, since listings may
   * lag behind them.
   */
  recent(): Promise<RecentRuns>;
  /** Returns the last runs of other names at the server, as they are recorded by now. */
  recentOfOthers(): Promise<Run[]>;
  /** Returns all runs, the oldest first. */
  all(): Promise<Run[]>;
  page(page: HistoryPage): Promise<Run[]>;
  /** Adds the outcomes of calls that their own runs did not learn. */
  record(findings: readonly ReadBackFinding[]): Promise<void>;
}

/** Returns the log of an account over its backend. A front without a backend of its own has the log of this machine only. */
export function accountLogOf(
  opened: Backend & Pick<AccountBackend, 'identity' | 'others'>,
  { env, cwd, apiKey }: { env: Readonly<Record<string, string | undefined>>; cwd: string; apiKey?: string | undefined },
): AccountLog {
  const machine = openMachineLog(env);
  const backend = opened.address === machine?.address ? undefined : opened;
  const onMachine = new Set<string>();

  /** Returns the runs of other folders and fronts: those whose lines are not in the backend. */
  function elsewhere(runs: readonly Run[], own: readonly Run[]): Run[] {
    const known = new Set(own.map(({ id }) => id));
    const ofAccount = runs.filter((run) => run.command !== 'unknown' && isSameAccount(run, opened.identity));
    for (const { id } of ofAccount) onMachine.add(id);
    return ofAccount.filter(({ id }) => !known.has(id)).map((run) => ({ ...run, isElsewhere: true }));
  }

  async function ofMachine(own: readonly Run[]): Promise<Run[]> {
    if (machine === undefined) return [];
    const since = new Date(Date.now() - keptMs).toISOString();
    return elsewhere(await withAge(machine, readFromEnd(machine, { since }, shortBytes)), own);
  }

  async function all(): Promise<Run[]> {
    const own = backend === undefined ? [] : await withAge(backend, readJournal(backend));
    return inOrder(own, await ofMachine(own));
  }

  return {
    async begin(header) {
      const by = await startedBy({ env, cwd });
      return beginRun(backend, { ...header, by, key: keyDigest(apiKey) }, machine);
    },
    async recent() {
      const [own, { runs: machineRuns }, others] = await Promise.all([
        recentIn(backend),
        recentIn(machine),
        opened.others().then(runsIn),
      ]);
      const { identity } = opened;
      const ownRuns = own.runs.filter((run) => run.command === 'unknown' || isSameAccount(run, identity));
      const ofOthers = runsOfOthers([...own.runs, ...machineRuns, ...others], identity);
      const known = ownRuns.map((run) => withSeen(run, machineRuns));
      return { ...own, runs: [...ofOthers, ...inOrder(known, elsewhere(machineRuns, own.runs))] };
    },
    async recentOfOthers() {
      const others = await opened.others();
      if (others.names.length === 0) return [];
      const [own, onThisMachine, inMemories] = await Promise.all([
        recentIn(backend),
        recentIn(machine),
        runsIn(others),
      ]);
      return runsOfOthers([...own.runs, ...onThisMachine.runs, ...inMemories], opened.identity);
    },
    all,
    async page(page) {
      const others = await ofMachine([]);
      if (backend !== undefined && others.length === 0) return readHistoryPage(backend, page);
      if (backend === undefined) return pageOf(await all(), page);
      const own = await readHistoryPage(backend, page);
      const from = own.length === page.limit ? (own[0]?.startedAt ?? '') : '';
      const newer = others.filter(({ startedAt }) => startedAt >= from);
      return pageOf(inOrder(own, elsewhere(newer, own)), page);
    },
    async record(findings) {
      const own = findings.filter(({ run }) => !run.isElsewhere);
      await recordFindings(backend, own);
      if (machine === undefined) return;
      const paid = findings.filter(({ run, call }) => onMachine.has(run.id) && mayIncurCharges(call.call));
      await recordFindings(machine, paid);
    },
  };
}

/** Returns what a run keeps of the API key: enough to see that the key was another one. */
export function keyDigest(apiKey: string | undefined): string | undefined {
  return apiKey === undefined ? undefined : createHash('sha256').update(apiKey).digest('hex').slice(0, 8);
}

/** The log of the machine never ends. Older runs are left out once it is longer, unless a call of theirs is open: policies count the moves of a month. */
const keptMs = 35 * 86_400_000;
const shortBytes = 4 * 1024 * 1024;

async function withAge(backend: Backend, reading: Promise<Run[]>): Promise<Run[]> {
  const [runs, ageMs] = await Promise.all([reading, ageOfLog(backend)]);
  return runs.map((run) => ({ ...run, ageMs }));
}

async function recentIn(log: Backend | undefined): Promise<RecentRuns> {
  return log === undefined ? { runs: [], facts: new Map() } : readRecentRuns(log);
}

async function runsIn({ memories }: OtherAccounts): Promise<Run[]> {
  return (await Promise.all(memories.map(recentIn))).flatMap(({ runs }) => runs);
}

/** Returns the runs of other names at the server: an IP exists once at a server, under any name of an account. */
function runsOfOthers(runs: readonly Run[], identity: AccountIdentity): Run[] {
  const others = runs.filter(
    (run) => run.command !== 'unknown' && isSameServer(run, identity) && !isSameAccount(run, identity),
  );
  return [...new Map(others.map((run) => [run.id, { ...run, isOfOther: true }])).values()];
}

/** Returns the parts of a run's header that depend only on the account and the version of this tool. */
export function runMetaOf({ account, service: { url = '' } }: Pick<Config, 'account' | 'service'>): RunMeta {
  const origin = URL.canParse(url) ? new URL(url).origin : '';
  return { origin, version, ...(account !== undefined && { account }) };
}

/** Adds what another folder of this machine has found out about the calls of a run that are open here. */
function withSeen(run: Run, onMachine: readonly Run[]): Run {
  const there = onMachine.find(({ id }) => id === run.id);
  if (there === undefined) return run;
  const open = new Set(openCalls(there).map(({ seq }) => seq));
  const found = new Map(there.calls.filter(({ seq }) => !open.has(seq)).map((sent) => [sent.seq, sent.seen]));
  const isOpenHere = new Set(openCalls(run));
  const known = (sent: JournaledCall) => (isOpenHere.has(sent) ? (found.get(sent.seq) ?? sent.seen) : sent.seen);
  return { ...run, calls: run.calls.map((sent) => ({ ...sent, seen: known(sent) })) };
}

/** Puts the runs of others between the own ones, which keep the order of their log. */
function inOrder(own: readonly Run[], others: readonly Run[]): Run[] {
  const left = [...others];
  const before = ({ startedAt }: Run) => {
    const end = left.findIndex((other) => other.startedAt >= startedAt);
    return left.splice(0, end === -1 ? left.length : end);
  };
  return [...own.flatMap((run) => [...before(run), run]), ...left];
}
