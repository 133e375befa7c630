/** Requests of the engine and their answers, as plain values. */
import type { CheckFailure } from '../pulumi/failures.ts';
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

export interface Invoked {
  result: WireProperties;
  failures: readonly CheckFailure[];
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
