/**
 * Runs handlers of the Pulumi provider, each as in its own process: the engine starts a process for every preview and every update, and
 * they share no memory (configuration, order of writes). Here, each run gets its own copy of the modules in `providers`.
 */
import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Handlers } from '../../providers/runtime/handlers.ts';

export interface Asked {
  id: number;
  kind: string;
  /** The configuration of the stack, by `webdata:…`. */
  config: Readonly<Record<string, string>>;
  handler: 'check' | 'diff' | 'create' | 'read' | 'update' | 'delete';
  given: readonly unknown[];
}

export interface Answered {
  id: number;
  /** The result of the handler. */
  value?: unknown;
  /** The error, as the engine shows it. */
  failure?: string;
  /** The state that the engine keeps after a failure. */
  kept?: { id: string; properties: object };
}

const own = '/providers/';

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [, copy] = /\?copy=(\d+)$/.exec(context.parentURL ?? '') ?? [];
    return copy !== undefined && resolved.url.includes(own)
      ? { ...resolved, url: `${resolved.url}?copy=${copy}` }
      : resolved;
  },
});

parentPort?.on('message', async (asked: Asked) => {
  parentPort?.postMessage(await answered(asked));
});

async function answered({ id, kind, config, handler, given }: Asked): Promise<Answered> {
  try {
    const handlers = await handlersOf(kind, id);
    await handlers.configure({ config: { get: (key) => config[key], require: (key) => config[key] ?? '' } });
    const call = handlers[handler] as (...given: readonly unknown[]) => Promise<unknown>;
    return { id, value: (await call(...given)) ?? null };
  } catch (error) {
    const { message, stack, ...half } = error as Error & Partial<NonNullable<Answered['kept']>>;
    const { id: of, properties } = half;
    const kept = of === undefined || properties === undefined ? {} : { kept: { id: of, properties } };
    return { id, failure: `${stack}\n${message}`, ...kept };
  }
}

async function handlersOf(kind: string, copy: number): Promise<Handlers> {
  const url = new URL(`../../providers/runtime/index.ts?copy=${copy}`, import.meta.url);
  const runtime: { handlersOf(kind: string): Handlers } = await import(url.href);
  return runtime.handlersOf(kind);
}
