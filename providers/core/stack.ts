/**
 * The state of a provider for one stack: configuration, connections, the resources that the program has declared so far, and the order of writes.
 * The engine runs one provider process for a preview and another one for the update.
 */

import type { AnyKind } from '../../src/kinds/kind.ts';
import { type Redact, redactor } from '../../src/service/redact.ts';
import type { Config } from '../../src/sync/config/config.ts';
import { withLock } from '../../src/sync/run/lock.ts';
import { openSession, type Session } from '../../src/sync/session.ts';
import { type Lookup, readConfiguration } from './configuration.ts';
import { createPlanner, type Planner } from './planner.ts';
import type { Resource } from './resource.ts';
import { createWriteScheduler, type WriteScheduler } from './writeScheduler.ts';

export interface Stack {
  redact: Redact;
  /** Shows a message to the user, redacted. */
  print(text: string): void;
  /** For planning: keeps listings, and expects planned moves, until something is written. */
  planning: Session;
  /** For reading and writing the live state. */
  live: Session;
  managerUrl: string | undefined;
  declared: DeclaredResources;
  scheduler: WriteScheduler;
  planner: Planner;
}

const lockTimeoutMs = 15_000;

/** @throws ProblemError for a configuration that cannot be used */
export function openStack(lookup: Lookup, print: (text: string) => void): Stack {
  const { config, overrides, secrets } = readConfiguration(lookup, process.env);
  const redact = redactor(secrets);
  const live = openSession(config, { overrides });
  const planning = live.withFreshAccount();
  const shown = { redact, print: (text: string) => print(redact(text)), planning };
  const lock = { timeoutMs: lockTimeoutMs, command: 'pulumi', folder: process.cwd() };
  return {
    ...shown,
    live,
    managerUrl: config.manager.url,
    declared: createDeclaredResources(config.declared),
    scheduler: createWriteScheduler((action) => withLock(config, lock, action)),
    planner: createPlanner(shown),
  };
}

export interface DeclaredResources {
  of(kind: AnyKind): readonly Resource[];
  has(resource: Resource): boolean;
  add(resource: Resource): void;
}

/** `declared` is the list from which a session takes the neighbours of a resource. */
function createDeclaredResources(declared: Config['declared'][number][]): DeclaredResources {
  const resources = new Map<string, Resource>();
  const keyOf = ({ kind, key }: Resource) => `${kind.name} ${key}`;
  const has = (resource: Resource) => resources.has(keyOf(resource));
  return {
    of: (kind) => [...resources.values()].filter((resource) => resource.kind === kind),
    has,
    add(resource) {
      if (has(resource)) return;
      resources.set(keyOf(resource), resource);
      const { kind, key, spec } = resource;
      declared.push({ kind: kind.name, collection: kind.collection, name: key, definition: kind, spec });
    },
  };
}

/** The stack of one provider, or the problems of its configuration. */
export interface OpenedStack {
  /** @throws ProblemError for a configuration that cannot be used */
  stack(): Stack;
  redact: Redact;
}
