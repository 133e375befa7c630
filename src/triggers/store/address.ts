/** The address of a store, checked without opening it: a declaration has one too, and is read where no database can be opened. */
import type { Problem } from '../../base/diagnostics/problem.ts';
import { hasSeveralHosts, oneHost } from '../../base/drivers/postgresAddress.ts';
import { parseAddress } from '../../base/values/address.ts';

/** Returns the problem of an address that is neither a path nor one of PostgreSQL. Never quotes it: it may contain a password. */
export function storeAddressProblem(address: string): Problem | undefined {
  const parsed = parseAddress(address);
  if (parsed.kind === 'unclear') return unknownStore(`the address of the store ${parsed.why}`, parsed.fix);
  if (parsed.kind === 'path') return undefined;
  if (!/^postgres(ql)?$/.test(parsed.scheme)) return unknownStore(`${parsed.scheme}:// stores are not supported`);
  return hasSeveralHosts(parsed.url) ? { ...severalHosts, ...oneHost } : undefined;
}

const severalHosts: Problem = { code: 'unusable-store', found: 'the address of the store names several hosts' };

function unknownStore(found: string, fix = 'correct --store, WEBDATA_TRIGGERS_STORE or triggers.store'): Problem {
  return { code: 'unknown-store', found, allowed: 'postgres://…, or a file name for SQLite', fix };
}
