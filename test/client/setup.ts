/** What the tests of the client share. */
import { onTestFinished } from 'vitest';
import { createManager, type Manager, type ManagerOptions } from '../../src/client/areas/manager/manager.ts';
import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts';
import type { ServiceError } from '../../src/client/errors.ts';

export const apiKey = 'test-key-0123456789';

/** Retries as usual, but without waiting for them. */
export const hasty = { retries: 3, minDelayMs: 1, maxDelayMs: 5 };

export function clientOf(url: string, options: Partial<ClientOptions> = {}): Client {
  const client = createClient({ url, apiKey, retry: hasty, ...options });
  onTestFinished(() => void client.close());
  return client;
}

export function managerOf(url: string, options: Partial<ManagerOptions> = {}): Manager {
  const manager = createManager({ url, retry: hasty, ...options });
  onTestFinished(() => void manager.close());
  return manager;
}

/** What a call failed with, as a person and a program see it. */
export async function failureOf(call: Promise<unknown> | (() => unknown)) {
  const error = (await (typeof call === 'function' ? (async () => call())() : call).then(
    () => Promise.reject(new Error('the call succeeded')),
    (fault: unknown) => fault,
  )) as ServiceError;
  const { code, message, fix, effect } = error;
  return { code, message, fix, effect };
}
