/** Checks of the configuration before anything is read: `terraform validate`. */

import { isDeepStrictEqual } from 'node:util';
import { assertNoProblems, type Problem } from '../../src/base/diagnostics/problem.ts';
import { valueProblems } from '../../src/base/diagnostics/zodProblems.ts';
import { parsedJson } from '../../src/base/values/plain.ts';
import type { Properties } from '../../src/kinds/seam/kind.ts';
import { ownership } from '../../src/kinds/seam/ownership.ts';
import { configurationProblems } from '../core/configuration.ts';
import { inputSchema } from '../core/resource.ts';
import { isAboutUnknown } from '../core/unknown.ts';
import { fromWireObject } from './attributes.ts';
import type { ResourceType } from './resources.ts';
import { settingAttributes, stackLookup } from './settings.ts';
import { withoutWriteOnly } from './storedObjects.ts';
import type { WireObject } from './wire.ts';

/** @throws ProblemError. Values that are not known yet are valid. */
export function validateConfig(
  { kind, attributes }: ResourceType,
  config: WireObject,
  { keepsSecrets }: { keepsSecrets: boolean },
): void {
  const given = fromWireObject(attributes, config);
  const declared = ownership.of(kind) === undefined ? given : { owner: 'unset', ...given };
  const found = valueProblems(inputSchema(kind), declared)
    .filter((problem) => !isAboutUnknown(problem, declared))
    .map((each) => withoutJson(each, declared));
  if (keepsSecrets && !isDeepStrictEqual(withoutWriteOnly(attributes, config), { ...config }))
    found.push(secretWouldBeKept);
  assertNoProblems(found);
}

/** The client has values of any type, so nothing needs to be encoded. */
function withoutJson(problem: Problem, declared: Properties): Problem {
  const [name = '', ...rest] = problem.path ?? [];
  const value = rest.length === 0 ? declared[String(name)] : undefined;
  const isJson = typeof value === 'string' && typeof parsedJson(value) === 'object';
  return isJson ? { ...problem, fix: 'write the value itself, without `jsonencode`' } : problem;
}

const secretWouldBeKept = {
  code: 'secret-in-state',
  found: 'this version of Terraform or OpenTofu would write the secret into its state',
  allowed: 'write-only values from Terraform 1.11 and OpenTofu 1.11',
  fix: 'use `secret`, the name of a secret that the trigger service knows, or `env`, a variable of its environment',
};

/** The provider block calls the URL of the service `url`. @throws ProblemError */
export function validateSettings(config: WireObject): void {
  const problems = configurationProblems(fromWireObject(settingAttributes, config), stackLookup);
  const named = (path: readonly PropertyKey[] = []) => path.map((name) => (name === 'apiUrl' ? 'url' : name));
  assertNoProblems(problems.map(({ path, ...problem }) => ({ ...problem, path: named(path) })));
}
