/** The interface between the gRPC server and the provider: the engine's requests as plain values. */
import type { CheckFailure } from '../core/check.ts';
import type { WireProperties } from './values.ts';

export interface Checked {
  inputs: WireProperties;
  failures: readonly CheckFailure[];
}

/** A resource of the program: its kind (`ZoneIpAllocation`), and its URN in the stack. */
export interface EngineResource {
  kind: string;
  urn: string;
}

export type Change = 'add' | 'delete' | 'update';

export interface PropertyDifference {
  change: Change;
  needsReplacement: boolean;
}

export interface DetailedDiff {
  hasChanges: boolean;
  /** By property path. */
  properties: ReadonlyMap<string, PropertyDifference>;
}

export interface Written {
  id: string;
  state: WireProperties;
}

/** A child of a resource that a preview shows: a call that an update would make. */
export interface View {
  operation: 'create' | 'update';
  type: string;
  name: string;
  values: Readonly<Record<string, unknown>>;
}

/** A create, an update or a delete. In a preview, nothing is written, and `show` presents what would be done. */
export interface WriteRequest {
  isPreview: boolean;
  ignoreChanges: readonly string[];
  /** Resolves with false where the engine does not show them. */
  show(views: readonly View[]): Promise<boolean>;
}

/** An existing resource; `id` can be imported. */
export interface Listed {
  id: string;
  name: string;
}

export interface Invoked {
  result: WireProperties;
  failures: readonly CheckFailure[];
}

/** Capabilities of the engine. */
export interface Engine {
  supportsViews: boolean;
}

export interface Front {
  handshake(engine: Engine): void;
  schema(): string;
  /** `urn` names the provider: the default one, or an explicit one of the program. */
  checkConfiguration(settings: WireProperties, urn?: string): Checked;
  configure(settings: WireProperties): void;
  check(resource: EngineResource, olds: WireProperties, news: WireProperties): Promise<Checked>;
  diff(
    resource: EngineResource,
    olds: States,
    news: WireProperties,
    ignoreChanges: readonly string[],
  ): Promise<DetailedDiff>;
  create(resource: EngineResource, news: WireProperties, writing: WriteRequest): Promise<Written>;
  /** `olds.inputs` is empty for an import. Null where the resource is gone. */
  read(resource: EngineResource, id: string, olds: States): Promise<(Written & { inputs: WireProperties }) | null>;
  update(
    resource: EngineResource,
    id: string,
    olds: States,
    news: WireProperties,
    writing: WriteRequest,
  ): Promise<WireProperties>;
  delete(resource: EngineResource, olds: States): Promise<void>;
  invoke(name: string, args: WireProperties): Promise<Invoked>;
  list(kind: string, query: WireProperties): Promise<readonly Listed[]>;
  /** Stops writes before their next call. A call that was sent is finished and recorded. */
  cancel(): void;
  /** Resolves when no write is in progress. */
  idle(): Promise<void>;
  /** Returns true if a preview, an update or a destroy reads each resource first. */
  refreshesBeforeUpdate(): boolean;
}

/** The recorded state of a resource: the inputs that it was declared with, and its outputs. */
export interface States {
  inputs: WireProperties;
  state: WireProperties;
}

/** An update that was done in part: the engine keeps this state, and the next update goes on from there. */
export class HalfDone extends Error {
  override name = 'HalfDone';
  readonly written: Written;
  readonly inputs: WireProperties;

  constructor(message: string, written: Written, inputs: WireProperties) {
    super(message);
    this.written = written;
    this.inputs = inputs;
  }
}

export const noProperties: WireProperties = { values: {}, secrets: [] };
