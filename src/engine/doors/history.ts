/** The runs of an account. */
export { type Pruning, pruneRuns } from '../history/prune.ts';
export { accountLogOf, keyDigest } from '../run/accountLog.ts';
export { damageWarning } from '../run/damageWarning.ts';
export type { Command, JournaledCall, Run } from '../run/journal.ts';
export { readJournal } from '../run/journalReader.ts';
