/** The life of a resource, for every front: diff, create, read, update and delete over the functions of its kind. */
import { assertNoProblems, type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import {
  comparedOrProblems,
  mayBeResolved,
  type WithheldMove,
  type WriteOutcome,
} from '../../src/engine/doors/front.ts';
import { outcomeOf } from '../../src/kinds/knownCalls.ts';
import { registeredView } from '../../src/kinds/registered/view.ts';
import type { Call, SentCall } from '../../src/kinds/seam/call.ts';
import type { Context } from '../../src/kinds/seam/context.ts';
import type { AnyKind, Properties } from '../../src/kinds/seam/kind.ts';
import { deletedUnseen, type PlanTarget } from './announcements.ts';
import { diffOfKept, isIgnored, withLiveValues } from './ignoredChanges.ts';
import { openCallsIn, storedOpenCalls } from './openCalls.ts';
import { isOfUnchanged, problemsFrom } from './problems.ts';
import { type PropertyDiff, propertyDiffs } from './propertyDiff.ts';
import {
  comparable,
  contextFor,
  inputsIn,
  kindAndKey,
  parseResource,
  type Resource,
  registeredTwice,
} from './resource.ts';
import type { Stack } from './stack.ts';
import type { PropertyPath } from './stored/storedResource.ts';
import { storedOf } from './stored/table.ts';
import { plain, targetFor } from './target.ts';
import { unknownPaths } from './unknown.ts';

export interface ResourceDiff {
  hasChanges: boolean;
  /** The inputs whose change requires another resource. */
  replaces: string[];
  /** Differences of the declaration, in normalized form. */
  properties: PropertyDiff[];
  /** The calls that make the live state as declared. */
  calls: readonly Call[];
}

interface UpdateOptions {
  /** The properties whose live values stay. */
  ignored?: readonly PropertyPath[];
}

interface DiffOptions extends UpdateOptions {
  /** The inputs of the state, which a refresh has updated. By default, the properties of the state. */
  oldInputs?: Properties;
}

/** Compares by meaning and with the live state, so that an update corrects drift without a refresh. @throws ProblemError */
export async function diffResource(
  stack: Stack,
  kind: AnyKind,
  olds: Properties,
  news: Properties,
  { oldInputs = olds, ignored = [] }: DiffOptions = {},
): Promise<ResourceDiff> {
  const inputs = inputsIn(kind, news);
  const before = inputsIn(kind, oldInputs);
  if (unknownPaths(inputs).length > 0) {
    return { hasChanges: true, replaces: [], properties: propertyDiffs(before, inputs), calls: [] };
  }
  const resource = parseResource(kind, inputs, ignored);
  const { run, declared, declaring } = stack;
  const target = targetFor(run.hasWritten ? run.live : run.planning, resource, { olds });
  const replaces = replacingInputs(resource, olds, target.context());
  const properties = declarationDiffs(resource, before, replaces);
  if (replaces.length > 0) return { hasChanges: true, replaces, properties, calls: [] };
  const { calls, problems } = await declaring.declare(() => planExisting(stack, target, olds));
  const unreported = problems.filter((problem) => isOfUnchanged(problem, before, inputs));
  if (declared.has(resource) && unreported.length > 0 && !mayBeResolved(problems)) {
    throw new ProblemError(unreported);
  }
  // A state that holds open calls after a refresh needs an update without calls, which removes them.
  const differences = properties.length + calls.length + problems.length + openCallsIn(olds).length;
  return { hasChanges: differences > 0, replaces, properties, calls };
}

function replacingInputs({ kind, spec, identity }: Resource, olds: Properties, context: Context): string[] {
  const identified = Object.entries(identity ?? {}).filter(([field, value]) => olds[field] !== value);
  return [...identified.map(([field]) => field), ...storedOf(kind).replaces(olds, spec, context)];
}

/** Inputs that a refresh has read need not be valid. */
function declarationDiffs(resource: Resource, before: Properties, replaces: readonly string[]): PropertyDiff[] {
  const isCompared = ({ path }: PropertyDiff) => !isIgnored(path, resource.ignored);
  try {
    return propertyDiffs(comparable(parseResource(resource.kind, before)), comparable(resource), replaces).filter(
      isCompared,
    );
  } catch {
    return propertyDiffs(before, resource.inputs, replaces).filter(isCompared);
  }
}

/** Says what the user should know before an update. */
async function remark({ run, print }: Stack, resource: Resource, olds: Properties): Promise<void> {
  for (const text of storedOf(resource.kind).remarks(olds, contextFor(run.live, resource))) {
    await print(`${resource.kind.name} ${text}`, 'remark');
  }
}

/** During a refresh, the engine compares resources that the program has not declared. These are not announced. */
async function planExisting(
  stack: Stack,
  target: PlanTarget,
  olds: Properties,
): Promise<{ calls: readonly Call[]; problems: readonly Problem[] }> {
  const { run, declared } = stack;
  const { resource, context, compare } = target;
  const { unseen } = await run.recall(openCallsIn(olds), { isBeforeWrite: false });
  await remark(stack, resource, olds);
  const isPreview = !run.hasWritten && declared.has(resource);
  const concurrencyKey = resource.kind.concurrencyKey(resource.spec, context());
  const { diff, problems } = await (isPreview
    ? run.plans.add({ ...target, unseen })
    : run.read(concurrencyKey, () => comparedOrProblems(compare)));
  return { calls: diff?.calls ?? [], problems };
}

/** An update that failed after some of its calls took effect. */
export class PartialUpdateError extends ProblemError {
  override name = 'PartialUpdateError';
  /** The resource as the state must keep it, so that the next update continues from there. */
  readonly kept: { id: string; properties: Properties };

  constructor(problems: readonly Problem[], kept: { id: string; properties: Properties }) {
    super(problems);
    this.kept = kept;
  }
}

/** Adopts what exists. @throws ProblemError, ServiceError, PartialUpdateError */
export async function createResource(
  stack: Stack,
  kind: AnyKind,
  news: Properties,
): Promise<{ id: string; properties: Properties }> {
  const resource = parseResource(kind, inputsIn(kind, news));
  const id = storedOf(kind).id(resource.spec, contextFor(stack.run.live, resource));
  return { id, properties: await updateResource(stack, kind, id, {}, news) };
}

/** @throws ProblemError, ServiceError, PartialUpdateError */
export async function updateResource(
  stack: Stack,
  kind: AnyKind,
  id: string,
  olds: Properties,
  news: Properties,
  { ignored = [] }: UpdateOptions = {},
): Promise<Properties> {
  const resource = parseResource(kind, inputsIn(kind, news), ignored);
  const { run, declared } = stack;
  let { spec } = resource;
  const propertiesWith = (state: unknown, sent: readonly SentCall<Call>[]) =>
    plain({ ...resource.inputs, ...storedOf(kind).outputs({ spec, state, sent, olds }), ...storedOpenCalls(sent) });
  // Neither the lock nor the declarations to come matter for a resource that needs no call.
  if (run.showsLive && run.plans.isAsDeclared(kindAndKey(resource))) {
    const context = contextFor(run.planning, resource, { olds });
    ({ spec } = await withLiveValues(resource, context));
    return propertiesWith(await kind.observe(spec, context), []);
  }
  const { sent, state, error } = await writeResource(stack, resource, { olds }, async (context) => {
    if (declared.isRefused(resource)) throw new ProblemError([registeredTwice(resource)]);
    const kept = await withLiveValues(resource, context);
    spec = kept.spec;
    if (kept.ignored.length === 0) return kind.converge(spec, context);
    const live = await kind.observe(spec, context);
    const { calls, problems } = diffOfKept(kept, live);
    assertNoProblems(problems);
    return calls.length === 0 ? live : kind.converge(spec, context);
  });
  if (error === undefined) return propertiesWith(state, sent);
  if (sent.length === 0) throw error;
  const found = await kind.observe(spec, contextFor(run.live, resource, { olds })).catch(() => undefined);
  throw new PartialUpdateError(problemsFrom(error), { id, properties: propertiesWith(found, sent) });
}

/** Writes a resource in the run of the account, once the program has declared its resources. */
async function writeResource(
  stack: Stack,
  resource: Resource,
  options: { olds: Properties; isDeleted?: boolean },
  send: (context: Context) => Promise<unknown>,
): Promise<WriteOutcome<unknown>> {
  const { kind, spec } = resource;
  const { run, declaring, announcements } = stack;
  const { live } = run;
  const target = targetFor(live, resource, options);
  const name = storedOf(kind).title(spec, target.context());
  let unseen: readonly WithheldMove[] = [];
  let outcome: WriteOutcome<unknown> = { sent: [] };
  // A plan of Terraform has known all resources, and has refused registrations that are declared twice.
  const isAlone = stack.front === 'terraform' && !storedOf(kind).guardsOthers;
  for await (const _ of declaring.tries({ isAlone })) {
    outcome = await run.write(kind.concurrencyKey(spec, target.context()), {
      resource: { kind: kind.name, collection: kind.collection, name },
      contextWith: (recorder, lost) => contextFor(live, resource, { ...options, recorder, signal: lost }),
      unseen: () => unseen,
      show: (call) => announcements.beforeCall(target, call),
      async send(context) {
        ({ unseen } = await run.recall(openCallsIn(options.olds), { isBeforeWrite: true }));
        // Another tool may have changed the registrations since they were listed.
        live.view(registeredView).forget();
        return send(context);
      },
    });
    const { sent, error } = outcome;
    const isWaiting = sent.length === 0 && error instanceof ProblemError && mayBeResolved(error.problems);
    if (options.isDeleted || !isWaiting) break;
  }
  return outcome;
}

/**
 * Returns the live state in the outputs, and in the inputs as far as an update would change it. Undefined: the resource is gone. An error never
 * means gone.
 */
export async function readResource(
  stack: Stack,
  kind: AnyKind,
  olds: Properties,
  { ignored = [] }: UpdateOptions = {},
): Promise<{ inputs: Properties; properties: Properties } | undefined> {
  const declared = inputsIn(kind, olds);
  const { open } = await stack.run.recall(openCallsIn(olds), { isBeforeWrite: false });
  const read = parseResource(kind, declared, ignored);
  await remark(stack, read, olds);
  const live = await readLive(stack, read, olds);
  if (live === undefined) return undefined;
  const { state, resource } = live;
  const { spec, inputs } = resource;
  const { calls, problems } = diffOfKept(resource, state);
  // Listings that do not show an accepted move yet show no drift.
  const isAsDeclared = calls.length + problems.length === 0 || open.length > 0;
  const outputs = storedOf(kind).outputs({ spec, state, sent: undefined, olds });
  return {
    inputs: plain(isAsDeclared ? inputs : storedOf(kind).liveInputs(inputs, spec, state)),
    properties: plain({ ...declared, ...outputs, ...storedOpenCalls(open) }),
  };
}

/** Reads the parts of a resource that the service still knows. */
async function readLive(
  stack: Stack,
  resource: Resource,
  olds: Properties,
): Promise<{ resource: Resource; state: unknown } | undefined> {
  const { kind, inputs, ignored } = resource;
  const { run } = stack;
  const context = contextFor(run.showsLive ? run.planning : run.live.withFreshAccount(), resource, { olds });
  try {
    const { spec } = await withLiveValues(resource, context);
    const state = await kind.observe(spec, context);
    return storedOf(kind).isGone(state) ? undefined : { resource: { ...resource, spec }, state };
  } catch (error) {
    const left = await storedOf(kind).withoutGone(inputs, error, context);
    if (left === undefined) throw error;
    return left === null ? undefined : readLive(stack, parseResource(kind, left, ignored), olds);
  }
}

/** Deletes what no other declared resource needs. @throws ProblemError, ServiceError */
export async function deleteResource(stack: Stack, kind: AnyKind, olds: Properties): Promise<void> {
  // A state without properties has nothing to delete.
  if (Object.keys(olds).length === 0) return;
  const resource = stack.declared.removedPart(parseResource(kind, inputsIn(kind, olds)));
  if (resource === undefined) return;
  // Moves of this resource that arrive later are not released.
  const options = { olds, isDeleted: true };
  const { sent, error } = await writeResource(stack, resource, options, (context) =>
    kind.removal.send(resource.spec, context),
  );
  if (error === undefined) return;
  // A failed delete leaves the state as it was, so the next one would send the same calls again.
  if (!isAcceptedUnseen(error, sent)) throw error;
  await stack.print(
    deletedUnseen(stack.front, targetFor(stack.run.live, resource, options), problemsFrom(error)),
    'remark',
  );
}

/** Returns true if the service accepted every call in full, and only the read-back has not shown all of them yet. */
function isAcceptedUnseen(error: unknown, sent: readonly SentCall<Call>[]): boolean {
  const isUnseen = error instanceof ProblemError && error.problems.every(({ code }) => code === 'not-yet-visible');
  return isUnseen && sent.every((each) => ['done', 'accepted'].includes(outcomeOf(each)));
}
