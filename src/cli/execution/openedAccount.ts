/** The account that a command plans or changes, opened from its flags. */
import { type AccountOptions, type OpenedAccount, openAccount } from '../../engine/account.ts';
import type { ContextFlags } from '../options/options.ts';
import type { Io } from '../output/io.ts';
import { surroundingsOf } from './commandContext.ts';

/** @throws ProblemError with every problem of the declaration */
export function accountFrom(flags: ContextFlags & AccountOptions, io: Io): Promise<OpenedAccount> {
  return openAccount({ ...flags, ...surroundingsOf(flags, io) });
}
