/** A registration as it would be declared to match what is registered. */
import { isDeepStrictEqual } from 'node:util';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { isMapValue, valueAt } from '../../base/values/plain.ts';
import type { LiveDeclaration, WrittenResource } from '../../features/accept/capability.ts';
import { comparableSpecs, holdsSealed } from '../../triggers/declared/specDigest.ts';
import type { RegistryRecord } from './registryRecord.ts';

/** Takes over the fields that differ, without defaults. Secrets that differ are problems, because they cannot be read. */
export function acceptRegistration(
  { written }: WrittenResource<object>,
  { declared, registered }: RegistryRecord<object>,
): LiveDeclaration {
  if (registered === undefined) return { fields: undefined };
  if ('problems' in declared) return { fields: written, problems: declared.problems };
  const sides = comparableSpecs(declared.spec, registered);
  const problems: Problem[] = [];
  const fields = accepted(written, sides.declared, sides.sealed, []);
  return { fields: isMapValue(fields) ? fields : written, problems };

  function accepted(text: unknown, wanted: unknown, live: unknown, path: string[]): unknown {
    if (isDeepStrictEqual(wanted, live)) return text;
    if (isMapValue(text) && isMapValue(wanted) && isMapValue(live)) {
      const names = Object.keys({ ...wanted, ...live });
      const entries = names.map((name) => [name, accepted(text[name], wanted[name], live[name], [...path, name])]);
      return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
    }
    if (Array.isArray(wanted) && isMapValue(text)) problems.push(fromFile(path, text));
    else if (holdsSealed(valueAt(registered, path))) problems.push(secretDiffers(path));
    return live;
  }
}

function fromFile(path: string[], { file }: Record<string, unknown>): Problem {
  return {
    code: 'value-from-file',
    path,
    found: `the registered ${path.join('.')} differ from the file ${String(file)}`,
    fix: 'change that file by hand, or apply to register what it holds',
  };
}

function secretDiffers(path: string[]): Problem {
  return {
    code: 'secret-differs',
    path,
    found: 'a registered secret differs from the declaration, and cannot be read',
    fix: 'declare the secret by hand, or apply to register the declared one',
  };
}
