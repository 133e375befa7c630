/** A kind as a dynamic provider: the methods that the engine calls, over the kind's own handlers. */
import { isDeepStrictEqual } from 'node:util';
import type { dynamic } from '@pulumi/pulumi';
import type { z } from 'zod';
import type { Problem } from '../../src/diagnostics/problem.ts';
import type { Call } from '../../src/kinds/call.ts';
import type { Context } from '../../src/kinds/context.ts';
import type { Adapter, Declared } from './adapter.ts';
import { check } from './check.ts';
import { failure, problemsFrom } from './failure.ts';
import { configure, redact, theStack, told } from './opened.ts';
import { planOne } from './planner.ts';
import { keepRecord, type Record } from './record.ts';
import { contextFor, isWaiting, nameOf } from './stack.ts';
import type { Target } from './target.ts';
import { unknownPaths } from './unknown.ts';

export type Handlers = Required<dynamic.ResourceProvider>;
type AnyAdapter = Adapter<unknown, unknown>;

/** Properties of a state or a program, and what the SDK adds: the serialized provider. */
type Properties = Readonly<{ [name: string]: unknown; __provider?: unknown }>;

export function handlersFor<Spec, State>(typed: Adapter<Spec, State>): Handlers {
  // The engine knows no types: what comes in is parsed, and the kind's handlers get what they are made for.
  const adapter = typed as AnyAdapter;
  return {
    configure,
    check: (olds, news) => check(adapter, olds, news),
    diff: (_id, olds, news) => told(() => diff(adapter, olds, news)),
    create: (inputs) => told(() => create(adapter, inputs)),
    read: (id, props) => told(() => read(adapter, id, props ?? {})),
    update: (id, olds, news) => told(() => update(adapter, id, olds, news)),
    delete: (_id, props) => told(() => remove(adapter, props)),
  };
}

/** By meaning and by the live state: what was changed behind the back of the stack is mended without a refresh. */
async function diff(adapter: AnyAdapter, olds: Properties, news: Properties): Promise<dynamic.DiffResult> {
  const { stack } = theStack();
  const declared = declaredIn(adapter, news);
  if (unknownPaths(declared).length > 0) return { changes: true };
  const spec = adapter.kind.spec.parse(declared);
  const session = stack.turns.hasWritten() ? stack.live : stack.planning;
  const context = () => adapter.withOlds(contextFor(session, adapter.kind, spec), olds);
  const replaces = adapter.replaces(olds, spec, context());
  if (replaces.length > 0) return { changes: true, replaces, deleteBeforeReplace: true };
  const { calls, problems } = await stack.turns.declaring(() => planned({ adapter, spec, context, isNew: false }));
  return { changes: !isSameDeclaration(adapter, olds, spec) || calls.length + problems.length > 0 };
}

/** A refresh compares too, with resources that the program has not declared: nothing is said of those. */
async function planned(target: Target): Promise<{ calls: readonly Call[]; problems: readonly Problem[] }> {
  const { stack, planner } = theStack();
  const { adapter, spec, context } = target;
  const isPreview = !stack.turns.hasWritten() && stack.registry.of(adapter.kind).has(nameOf(spec));
  const concurrencyKey = adapter.kind.concurrencyKey(spec, context());
  const { diff, problems } = await (isPreview
    ? planner.announce(target)
    : stack.turns.reading(concurrencyKey, () => planOne(target)));
  return { calls: diff?.calls ?? [], problems };
}

function isSameDeclaration(adapter: AnyAdapter, olds: Properties, spec: unknown): boolean {
  const before = adapter.kind.spec.safeParse(declaredIn(adapter, olds));
  return before.success && isDeepStrictEqual(adapter.meaning(before.data), adapter.meaning(spec));
}

async function create(adapter: AnyAdapter, inputs: Properties): Promise<dynamic.CreateResult> {
  const { stack } = theStack();
  const spec = adapter.kind.spec.parse(declaredIn(adapter, inputs));
  const id = adapter.id(spec, contextFor(stack.live, adapter.kind, spec));
  const outs = await converge(adapter, id, {}, inputs, (context) => adapter.kind.converge(spec, context));
  return { id, outs };
}

async function update(
  adapter: AnyAdapter,
  id: string,
  olds: Properties,
  news: Properties,
): Promise<dynamic.UpdateResult> {
  const spec = adapter.kind.spec.parse(declaredIn(adapter, news));
  const outs = await converge(adapter, id, olds, news, (context) => adapter.kind.converge(spec, context));
  return { outs };
}

/** Writes in turn. What was done of it is in the outputs, or in the failure, from which the engine keeps it in the state. */
async function converge(
  adapter: AnyAdapter,
  id: string,
  olds: Properties,
  news: Properties,
  bringAbout: (context: Context) => Promise<unknown>,
): Promise<Properties> {
  const { stack } = theStack();
  const declared = declaredIn(adapter, news);
  const spec = adapter.kind.spec.parse(declared);
  const record = keepRecord();
  const contextWith = (signal?: AbortSignal) =>
    adapter.withOlds(contextFor(stack.live, adapter.kind, spec, { recorder: record.recorder, signal }), olds);
  const concurrencyKey = adapter.kind.concurrencyKey(spec, contextWith());
  const propertiesFrom = (state: unknown) => plain({ ...declared, ...adapter.outputs(spec, state, record.made, olds) });
  const mayWait = (error: unknown) => record.made.length === 0 && isWaiting(error);
  try {
    const state = await stack.turns.writing(concurrencyKey, (lost) => bringAbout(contextWith(lost)), mayWait);
    return propertiesFrom(state);
  } catch (error) {
    if (record.made.length === 0) throw error;
    const state = await adapter.kind.observe(spec, contextWith()).catch(() => undefined);
    const properties = { ...propertiesFrom(state), __provider: news.__provider };
    throw failure(problemsFrom(error), redact, { id, properties });
  }
}

/** What is live: in the outputs, and in the inputs as far as an update would change it. */
async function read(adapter: AnyAdapter, id: string, props: Properties): Promise<dynamic.ReadResult> {
  const { stack } = theStack();
  const declared = declaredIn(adapter, props);
  const spec = adapter.kind.spec.parse(declared);
  const context = adapter.withOlds(contextFor(stack.planning, adapter.kind, spec), props);
  const live = await adapter.read(declared, context);
  if (live === null) return {};
  const { state } = live;
  const found = adapter.kind.spec.parse(live.declared);
  const { calls, problems } = adapter.kind.diff(found, state);
  const inputs = calls.length + problems.length === 0 ? live.declared : adapter.asLive(live);
  const outputs = { ...adapter.outputs(found, state, [], props), ...lastMoves(props) };
  return { id, inputs: plain(inputs), props: plain({ ...declared, ...outputs }) };
}

/** A refresh moves nothing, and leaves standing what the last update did. */
function lastMoves({ moved }: Properties): Properties {
  return moved === undefined ? {} : { moved };
}

async function remove(adapter: AnyAdapter, props: Properties): Promise<void> {
  const { stack } = theStack();
  const declared = adapter.kind.spec.parse(declaredIn(adapter, props));
  const others = [...stack.registry.of(adapter.kind).values()];
  const spec = adapter.toDelete(declared, others);
  if (spec === undefined) return;
  const record: Record = keepRecord();
  const contextWith = (signal?: AbortSignal) =>
    contextFor(stack.live, adapter.kind, spec, { recorder: record.recorder, signal, going: true });
  const concurrencyKey = adapter.kind.concurrencyKey(spec, contextWith());
  await stack.turns.writing(
    concurrencyKey,
    (lost) => adapter.kind.remove(spec, contextWith(lost)),
    () => false,
  );
}

/** The declaration among the properties: no outputs, and nothing of the SDK's. */
export function declaredIn({ kind }: AnyAdapter, properties: Properties): Declared {
  const names = Object.keys((kind.spec as z.ZodObject).shape);
  return Object.fromEntries(names.filter((name) => properties[name] != null).map((name) => [name, properties[name]]));
}

/** What the engine can take: plain values, and nothing that is undefined. */
function plain(properties: Properties): Properties {
  return JSON.parse(JSON.stringify(properties));
}
