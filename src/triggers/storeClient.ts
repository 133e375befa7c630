/** The operations of the trigger service on its store, without a server: the same table, carried out in this process. */
import { ProblemError } from '../base/diagnostics/problem.ts';
import { parse } from '../base/diagnostics/zodProblems.ts';
import type { CallOptions } from '../client/transport/transport.ts';
import { version } from '../version.ts';
import { callsBy, operationOf, type Parts, type SendOperation, textsOf } from './api/calls.ts';
import type { OperationHandlers, OperationName } from './api/operations.ts';
import type { TriggersClient } from './api/triggersClient.ts';
import type { LedgerAddress, OpenLedger } from './openLedger.ts';

/** Opens the store when it is first used. `readOnly` refuses changes, and makes no store. */
export function createStoreTriggers(address: LedgerAddress, { readOnly = false } = {}): TriggersClient {
  let opening: Promise<OpenLedger> | undefined;
  const send: SendOperation = async (name, parts, { signal }: CallOptions = {}) => {
    signal?.throwIfAborted();
    if (readOnly && (await operationOf(name)).method !== 'GET')
      throw new TypeError(`${name} would change the store, and this session only reads`);
    // Most commands need no ledger.
    opening ??= import('./openLedger.ts').then(({ openLedger }) => openLedger(address, readOnly));
    return sendTo((await opening).handlers)(name, parts);
  };
  return {
    url: address.shown,
    ...callsBy(send),
    version: async () => version,
    close: async () => (await opening?.catch(() => undefined))?.database.close(),
  };
}

/** Carries out operations as the server does, in this process. */
export function sendTo(handlers: OperationHandlers): SendOperation {
  return async (name, parts) => handlers[name](await parsed(name, parts));
}

/** Parses a request as the server does. @throws ProblemError */
async function parsed<Name extends OperationName>(
  name: Name,
  { params, query, body }: Parts,
): Promise<Parameters<OperationHandlers[Name]>[0]> {
  const schemas = await operationOf(name);
  const given = { params, headers: {}, query: textsOf(query ?? {}), body: body && JSON.parse(JSON.stringify(body)) };
  const entries = (['params', 'headers', 'query', 'body'] as const).map((part) => {
    const result = schemas[part] && parse(schemas[part], given[part]);
    if (result?.ok === false) throw new ProblemError(result.problems);
    return [part, result?.value];
  });
  return Object.fromEntries(entries);
}
