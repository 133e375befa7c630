/** Remarks of a plan, an undo and `doctor` on the account: runs that its lock and its history do not have, or have from another server. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { utcTime } from '../../base/values/utcTime.ts';
import { declarationsIn } from '../baseline/baseline.ts';
import { readBaseline } from '../baseline/baselineDocument.ts';
import { readJournal } from '../run/journalReader.ts';
import type { AccountBackend } from './accountBackend.ts';
import { isSameAccount } from './accountIdentity.ts';

/** `isEmpty`: the backend has neither runs nor a baseline of the account. */
export async function accountRemarks(backend: AccountBackend, { isEmpty }: { isEmpty: boolean }): Promise<Problem[]> {
  const renamed = backend.isNewName
    ? await Promise.all(backend.otherNames.map((name) => earlierName(name, backend)))
    : [];
  return [...atOtherServers(backend), ...renamed, ...(isEmpty ? await inFolder(backend) : [])];
}

function atOtherServers({ identity: { account }, otherServers }: AccountBackend): Problem[] {
  if (otherServers.length === 0) return [];
  return [
    {
      code: 'account-at-other-server',
      found: `the account ${account} has runs at ${otherServers.join(', ')}, too: they share the lock, the history and the baseline`,
      allowed: 'one name for each account',
      fix: 'if that is another account, give it a name of its own; if the same account has two addresses, there is nothing to do',
    },
  ];
}

async function earlierName(name: string, backend: AccountBackend): Promise<Problem> {
  const memory = backend.memoryOf(name);
  const [all, baseline] = await Promise.all([readJournal(memory), readBaseline(memory)]);
  const runs = all.filter(({ account }) => account === name);
  const last = runs.at(-1);
  const entries = declarationsIn(baseline, name).flatMap(({ resources }) => resources).length;
  const since = last === undefined ? '' : `, the last of ${utcTime(last.startedAt)}`;
  const { account } = backend.identity;
  return {
    code: 'account-new-name',
    found: `the account ${account} has no runs; at the same server, ${name} has ${counted(runs.length, 'run')}${since}, and a baseline of ${counted(entries, 'resource')}`,
    allowed: 'one name for each account',
    fix: `if ${name} is now called ${account}, run \`webdata backend adopt ${name}\`; if it is another account, there is nothing to do`,
  };
}

/** Returns a problem for runs in the folder beside the declaration, which was the backend before. */
async function inFolder(backend: AccountBackend): Promise<Problem[]> {
  const { folder } = backend;
  if (folder === undefined || !backend.isShared) return [];
  const runs = (await readJournal(folder)).filter((run) => isSameAccount(run, backend.identity));
  if (runs.length === 0) return [];
  return [
    {
      code: 'runs-in-folder',
      found: `.webdata beside the declaration has ${counted(runs.length, 'run')} of this account, and ${backend.address} has none`,
      allowed: 'one backend with all runs of the account',
      fix: 'run `webdata backend push`',
    },
  ];
}
