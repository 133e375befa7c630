/**
 * Runs handlers of the Pulumi provider, each as in a process of its own: the engine starts one for every preview and every update,
 * and what one remembers (its configuration, whose turn it is) no other knows. Here each gets its own copy of those modules, of
 * the built package as the engine loads it.
 */
import { registerHooks } from 'node:module';
import { parentPort } from 'node:worker_threads';
import type { Handlers } from '../../providers/runtime/handlers.ts';

export interface Asked {
  id: number;
  kind: string;
  /** As `webdata:…` of the stack. */
  config: Readonly<Record<string, string>>;
  handler: 'check' | 'diff' | 'create' | 'read' | 'update' | 'delete';
  given: readonly unknown[];
}

export interface Answered {
  id: number;
  /** What the handler returned. */
  value?: unknown;
  /** What it failed with, as the engine shows it. */
  failure?: string;
  /** What it failed with holds a state to keep. */
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
  const url = new URL(`../../dist/providers/runtime/index.js?copy=${copy}`, import.meta.url);
  const runtime: { handlersOf(kind: string): Handlers } = await import(url.href);
  return runtime.handlersOf(kind);
}
