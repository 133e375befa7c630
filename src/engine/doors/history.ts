/** The runs of an account. */
export { chooseRuns, cutoffOf, type Pruning } from '../history/prune.ts';
export { accountLogOf } from '../run/accountLog.ts';
export { damageWarning } from '../run/damageWarning.ts';
export { type AdHocCommand, type Command, type JournaledCall, type Run, removeRuns } from '../run/journal.ts';
export { ageOfLog, readJournal } from '../run/journalReader.ts';
