/** Whose schedule a command is about, where it may run without a declaration. */
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import type { Config } from '../../../sync/config/config.ts';

export interface OwnerFlags {
  owner?: string;
}

export function withOwner(command: Command): Command {
  return command.option('--owner <name>', "who registered it (default: the declaration's name)");
}

/** @throws ProblemError where nobody says */
export function ownerFrom({ owner }: OwnerFlags, { name }: Pick<Config, 'name'>): string {
  const found = owner ?? name;
  if (found === undefined) throw new ProblemError([unknownOwner]);
  return found;
}

const unknownOwner = {
  code: 'no-owner',
  found: 'it is not known who registered the schedule',
  allowed: '--owner NAME, or a declaration with a `name` at its top',
  fix: 'give --owner, or the declaration with -f FILE',
};
