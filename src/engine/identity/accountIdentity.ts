/**
 * The identity of an account: a server and, if several accounts share it, a name. Neither the API key nor the spelling of the URL makes another
 * account. What a front without a name belongs to is decided by what the backend and this machine know of the server: `accountBackend.ts`.
 */
import { serverKey } from '../../base/values/serverUrl.ts';
import type { Config } from '../declaration/config.ts';

type Servers = Pick<Config, 'service' | 'manager' | 'triggers'>;

/** Returns the server of an account in one spelling: that of the service, or else any that is known. */
export function serverOf({ service, manager, triggers }: Servers): string {
  return serverKey(service.url ?? manager.url ?? triggers.url ?? '');
}

/** The account of a run, a plan file or a declaration. */
export interface AccountIdentity {
  /** The name. */
  account?: string | undefined;
  /** The origin of the service, in any spelling. */
  origin: string;
  /** Earlier names of the account, whose runs were taken over. */
  formerly?: readonly string[];
}

/** Compares the names, or the servers where one side has no name: a run may be older than the name of its account. */
export function isSameAccount(one: AccountIdentity, other: AccountIdentity): boolean {
  if (one.account === undefined || other.account === undefined) return isSameServer(one, other);
  const names = [other.account, ...(other.formerly ?? [])];
  return [one.account, ...(one.formerly ?? [])].some((name) => names.includes(name));
}

export function isSameServer(one: Pick<AccountIdentity, 'origin'>, other: Pick<AccountIdentity, 'origin'>): boolean {
  return serverKey(one.origin) === serverKey(other.origin);
}
