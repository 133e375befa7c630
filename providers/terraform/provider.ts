/** The provider behind the protocol: plans, applies and reads the resources of all kinds over the life cycle that the fronts share. */

import { AsyncLocalStorage } from 'node:async_hooks';
import { isDeepStrictEqual } from 'node:util';
import { assertNoProblems, type Problem, ProblemError } from '../../src/base/diagnostics/problem.ts';
import { lastPlanOf, mayBeResolved } from '../../src/engine/doors/front.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { ownership } from '../../src/kinds/seam/ownership.ts';
import type { Print } from '../core/announcements.ts';
import { checkInputs } from '../core/check.ts';
import { withoutCredentials } from '../core/credentials.ts';
import { type SharedResource, sharedFormOf } from '../core/declared.ts';
import { importResource } from '../core/importing.ts';
import {
  createResource,
  deleteResource,
  diffResource,
  PartialUpdateError,
  readResource,
  updateResource,
} from '../core/lifecycle.ts';
import { problemsFrom } from '../core/problems.ts';
import { inputsIn, parseResource } from '../core/resource.ts';
import { openStack, type Stack } from '../core/stack.ts';
import { storedOf } from '../core/stored/table.ts';
import { movedIps } from '../core/stored/zoneIpAllocation.ts';
import { unknownPaths } from '../core/unknown.ts';
import { OpenWrites } from '../grpc/openWrites.ts';
import { attributePath } from './attributePath.ts';
import { type Attribute, fromWireObject, snakeCase, toWireObject } from './attributes.ts';
import { type Diagnostic, errorsFrom, warningFrom } from './diagnostics.ts';
import { type MoveAttributes, noMoves, plannedMoves } from './moves.ts';
import { assertGuardsHold, planAlone, planChange, planRemoval } from './planning.ts';
import { hiddenProperties, movesIps, type ResourceType } from './resources.ts';
import { stackLookup } from './settings.ts';
import { holdsWriteOnly, withoutWriteOnly, withPlaceholders } from './storedObjects.ts';
import { unknown, type WireObject } from './wire.ts';

/** A resource as the state keeps it: the attributes, and properties that no attribute shows. */
export interface Stored {
  wire: WireObject;
  hidden: Properties;
}

/** The data of a plan for the apply that follows, which asks for changed resources only. */
export interface PlannedChange {
  hidden: Properties;
  /** The resources that a destroy must know: what they need is left. A resource that is replaced needs itself. */
  declared?: readonly SharedResource[];
  moves?: MoveAttributes | undefined;
}

export interface ResourceChange {
  wire: WireObject | null;
  replaces: { steps: object[] }[];
  change: PlannedChange;
}

/** Messages for the user beside an answer. */
interface Answering {
  remarks: string[];
  problems: Problem[];
}

export class TerraformProvider {
  readonly #program: number | undefined;
  #settings: Properties = {};
  #opened: Stack | undefined;
  #hasApplied = false;
  /** The resources that the plan of this apply knew. */
  #known: unknown;
  readonly #answering = new AsyncLocalStorage<Answering>();
  readonly #writes = new OpenWrites();

  /** `program` is the process of the client, whose other providers may be for the same account. */
  constructor(program?: number) {
    this.#program = program;
  }

  configure(settings: Properties): void {
    this.#settings = settings;
    this.#opened = undefined;
    this.#known = undefined;
  }

  /** Stops writes before their next call. */
  stop(): void {
    this.#opened?.cancel();
  }

  /** Stops, and resolves when no write is in progress. A process that has planned leaves what it knows to the apply. */
  async end(): Promise<void> {
    this.stop();
    if (this.#opened && !this.#hasApplied) lastPlanOf(this.#opened.server).leave(this.#opened.declared.shared());
    await this.#writes.idle();
  }

  stack(): Stack {
    // Plans are attributes of the resource, so only remarks are shown.
    const print: Print = async (text, about) => {
      if (about === 'remark') this.#answering.getStore()?.remarks.push(text);
      return about === 'remark';
    };
    this.#opened ??= openStack(stackLookup(this.#settings), {
      print,
      front: 'terraform',
      program: this.#program,
    });
    return this.#opened;
  }

  /** @throws ProblemError while a setting is known only after the apply of another resource */
  knownStack(): Stack {
    const unknown = Object.keys(this.#settings).filter((name) => unknownPaths(this.#settings[name]).length > 0);
    if (unknown.length > 0) throw new ProblemError([settingsNotKnown(unknown)]);
    return this.stack();
  }

  /**
   * Returns the answer of an action, or `failed`, with its problems and remarks as diagnostics; an update that was done in part has an answer and
   * problems.
   */
  async answer(
    attributes: readonly Attribute[],
    failed: object,
    action: () => Promise<unknown>,
  ): Promise<{ diagnostics: Diagnostic[] }> {
    const answering: Answering = { remarks: [], problems: [] };
    const answer = await this.#answering.run(answering, action).catch((error: unknown) => {
      answering.problems.push(...problemsFrom(error));
      return failed;
    });
    const found = [...answering.remarks.map(warningFrom), ...errorsFrom(answering.problems, attributes)];
    const diagnostics = found.map((each) => {
      return { ...each, summary: this.#redact(each.summary), detail: this.#redact(each.detail) };
    });
    return { ...Object(answer), diagnostics };
  }

  /** @throws ProblemError */
  async plan(type: ResourceType, prior: Stored | null, config: WireObject): Promise<ResourceChange> {
    const { kind, attributes, computed } = type;
    const wire = { ...withoutWriteOnly(attributes, config), ...this.#owner(type, config) };
    const news = this.#inputs(type, config);
    const hidden = prior?.hidden ?? {};
    const open: ResourceChange = {
      wire: { ...wire, ...valuesOf(computed, () => unknown) },
      replaces: [],
      change: { hidden },
    };
    if (unknownPaths(this.#settings).length > 0) return open;
    // Also of a resource that is not known yet: this plan leaves what it knows of the account to the apply.
    const stack = this.stack();
    if (unknownPaths(news).length > 0) return open;
    const olds = prior === null ? {} : withSecretsOf(type, propertiesOf(type, prior), news);
    assertNoProblems((await checkInputs(kind, olds, news, () => stack)).problems);
    const resource = parseResource(kind, inputsIn(kind, news));
    if (storedOf(kind).guardsOthers) await assertGuardsHold(stack, resource);
    const difference = prior === null ? undefined : await diffResource(stack, kind, olds, news);
    if (difference !== undefined && difference.replaces.length > 0) {
      return { ...open, replaces: difference.replaces.map((name) => attributePath(attributes, [name])) };
    }
    if (prior !== null && difference?.hasChanges === false) {
      return {
        wire: { ...wire, ...valuesOf(computed, ({ name }) => prior.wire[name]) },
        replaces: [],
        change: { hidden },
      };
    }
    // The apply plans again, when perhaps fewer resources are declared. What it could plan otherwise is left open.
    const alone = movesIps(kind) ? await planAlone(stack, resource, olds) : undefined;
    const { id, calls, problems } = await planChange(stack, resource, olds);
    if (problems.length > 0 && !mayBeResolved(problems)) throw new ProblemError(problems);
    const planned = problems.length === 0 && alone !== undefined ? plannedMoves(calls) : undefined;
    const moves = alone && isDeepStrictEqual(plannedMoves(alone), planned) ? planned : undefined;
    const known = { id, ...moves };
    const shown = computed.filter(({ property }) => property in known);
    return {
      wire: { ...open.wire, ...toWireObject(shown, known) },
      replaces: [],
      change: { hidden, moves, declared: prior === null ? sharedFormOf(resource) : [] },
    };
  }

  /** Says what a destroy moves. @throws ProblemError for what a guard refuses */
  async planDestroy(type: ResourceType, prior: Stored): Promise<PlannedChange> {
    const { hidden } = prior;
    if (unknownPaths(this.#settings).length > 0) return { hidden };
    const stack = this.stack();
    if (storedOf(type.kind).guardsOthers) await stack.declaring.quiet();
    const change = { hidden, declared: stack.declared.shared() };
    const calls = await planRemoval(stack, type.kind, propertiesOf(type, prior));
    const { moved, billableMoves: count } = plannedMoves(calls);
    if (count === 0) return change;
    const lines = Object.entries(moved).map(([pair, words]) => `${pair}  ${words}`);
    stack.print([`${count} IPs move when this is destroyed (may incur charges)`, ...lines].join('\n'), 'remark');
    return change;
  }

  /** Returns the state as far as an update came. @throws ProblemError */
  async apply(
    type: ResourceType,
    prior: Stored | null,
    planned: WireObject,
    config: WireObject,
    { moves }: PlannedChange,
  ): Promise<Stored> {
    const { kind } = type;
    const stack = this.stack();
    this.#hasApplied = true;
    using _ = this.#writes.begin();
    this.#known ??= lastPlanOf(stack.server).read();
    if (Array.isArray(this.#known)) stack.declared.learn(this.#known.splice(0));
    else if (movesIps(kind) && moves?.billableMoves !== 0) throw new ProblemError([planIsElsewhere]);
    const news = this.#inputs(type, config);
    const kept = (properties: Properties) => stored(type, planned, properties, moves);
    if (prior === null) {
      // Creating adopts what exists, so the next create continues one that failed. Of a create that keeps a state, Terraform destroys it first.
      const { id, properties } = await createResource(stack, kind, news);
      return kept({ ...properties, id });
    }
    const olds = propertiesOf(type, prior);
    // The zones of an allocation are its id, so an update may change it.
    const { id } = fromWireObject(type.computed, planned);
    try {
      return kept({ ...(await updateResource(stack, kind, String(olds.id), olds, news)), id });
    } catch (error) {
      if (!(error instanceof PartialUpdateError)) throw error;
      this.#answering.getStore()?.problems.push(...error.problems);
      return kept({ ...error.kept.properties, id });
    }
  }

  /** Of a resource that is replaced, the client passes the plan of its replacement, which needs what both declare. */
  async destroy(type: ResourceType, prior: Stored, { declared = [] }: PlannedChange): Promise<void> {
    const stack = this.stack();
    this.#hasApplied = true;
    stack.declared.learn(declared);
    using _ = this.#writes.begin();
    await deleteResource(stack, type.kind, propertiesOf(type, prior));
  }

  /** Returns null for a resource that is gone. Attributes that match stay as they were written. */
  async read(type: ResourceType, prior: Stored): Promise<Stored | null> {
    const { kind, inputs, computed } = type;
    if (unknownPaths(this.#settings).length > 0) return prior;
    const olds = propertiesOf(type, prior);
    const stack = this.stack();
    // The plan of a resource follows its read: it is about to be declared.
    const found = await stack.declaring.declare(() => readResource(stack, kind, olds));
    if (found === undefined) return null;
    const { normalize } = storedOf(kind);
    const [before, live] = [normalize(inputsOf(type, olds)), normalize(found.inputs)];
    const differing = inputs.filter(
      (each) => !holdsWriteOnly(each) && !isDeepStrictEqual(before[each.property], live[each.property]),
    );
    const outputs = { ...shownOutputs(type, found.properties), id: olds.id };
    // A refresh moves nothing, so the attributes about the moves of the last apply stay.
    const shown = computed.filter(({ property }) => !(property in noMoves));
    const wire = { ...prior.wire, ...toWireObject(differing, live), ...toWireObject(shown, outputs) };
    return { wire, hidden: hiddenProperties(type, found.properties) };
  }

  /** @throws ProblemError for an id of nothing */
  async import(type: ResourceType, id: string): Promise<Stored> {
    const found = await importResource(this.knownStack(), type.kind, id);
    if (found === undefined) throw new ProblemError([nothingToImport(id)]);
    const properties = { ...shownOutputs(type, found.properties), ...found.inputs, id: found.id };
    const wire = withoutWriteOnly(type.attributes, toWireObject(type.attributes, properties));
    return { wire, hidden: hiddenProperties(type, found.properties) };
  }

  #inputs(type: ResourceType, config: WireObject): Properties {
    return fromWireObject(type.inputs, { ...config, ...this.#owner(type, config) });
  }

  /** A registration without an owner has that of the provider. */
  #owner({ kind }: ResourceType, config: WireObject): WireObject {
    return ownership.of(kind) === undefined ? {} : { owner: config.owner ?? this.#settings.owner ?? defaultOwner };
  }

  #redact(text: string): string {
    return this.#opened?.redact(text) ?? withoutCredentials(text);
  }
}

const defaultOwner = 'terraform';

/** The state keeps the moves as planned: nothing else may differ from a plan. */
function stored(type: ResourceType, planned: WireObject, properties: Properties, planMoves?: MoveAttributes): Stored {
  const moves = movesIps(type.kind) ? (planMoves ?? { ...noMoves, ...movesMade(properties) }) : {};
  const wire = { ...planned, ...toWireObject(type.computed, { ...properties, ...moves }) };
  return { wire, hidden: hiddenProperties(type, properties) };
}

/** The moves of an update whose plan could not know them. */
function movesMade(properties: Properties): MoveAttributes {
  const { data: made = [] } = movedIps.safeParse(properties.moved);
  const pairs = Object.entries(Object.groupBy(made, ({ from, to }) => `${from} -> ${to}`));
  const moved = Object.fromEntries(pairs.map(([pair, moves = []]) => [pair, `${moves.length} IPs`]));
  return { moved, billableMoves: made.length };
}

function inputsOf({ inputs }: ResourceType, properties: Properties): Properties {
  const names = inputs.map(({ property }) => property);
  return Object.fromEntries(Object.entries(properties).filter(([name]) => names.includes(name)));
}

/** Returns the properties of a state as the life cycle knows them. */
function propertiesOf(type: ResourceType, { wire, hidden }: Stored): Properties {
  return { ...fromWireObject(type.attributes, withPlaceholders(type.attributes, wire)), ...hidden };
}

/** A state does not hold secrets, so only the live state can show that one has changed. */
function withSecretsOf({ attributes }: ResourceType, olds: Properties, news: Properties): Properties {
  const secret = attributes.filter(holdsWriteOnly).map(({ property }) => property);
  const taken = secret.filter((name) => name in olds && name in news).map((name) => [name, news[name]]);
  return { ...olds, ...Object.fromEntries(taken) };
}

/** An import has made no moves. What the state does not hold cannot be compared. */
function shownOutputs(type: ResourceType, properties: Properties): Properties {
  const secret = type.attributes.filter(holdsWriteOnly).map(({ property }) => property);
  const { drifted } = properties;
  return {
    ...properties,
    ...(movesIps(type.kind) && noMoves),
    ...(Array.isArray(drifted) && { drifted: drifted.filter((name) => !secret.includes(name)) }),
  };
}

function valuesOf(attributes: readonly Attribute[], pick: (attribute: Attribute) => unknown): WireObject {
  return Object.fromEntries(attributes.map((attribute) => [attribute.name, pick(attribute)]));
}

const planIsElsewhere: Problem = {
  code: 'plan-elsewhere',
  found:
    'IPs are to move, but this plan was made on another machine or in another folder, and only there it is known which guards of unchanged resources hold',
  allowed: 'an apply in the folder of the plan, with the same WEBDATA_STATE_FOLDER (by default, a folder of the user)',
  fix: 'apply without a saved plan, which plans again; or let both commands have the folder and the variable in common',
};

function settingsNotKnown(names: readonly string[]): Problem {
  const settings = names.map((name) => `\`${snakeCase(name)}\``).join(', ');
  return {
    code: 'setting-not-known',
    found: `${settings} of the provider is known only after the apply`,
    fix: 'apply the resource that it comes from first, or write the value',
  };
}

function nothingToImport(id: string): Problem {
  return {
    code: 'nothing-to-import',
    found: `${JSON.stringify(id)} names nothing that exists`,
    fix: 'check the id, or declare it: creating adopts what exists',
  };
}
