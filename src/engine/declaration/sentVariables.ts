/**
 * Checks the variables in fields that decide where requests are sent and with which key. A declaration may come from
 * a pull request, and must not be able to send any variable of a CI job to a host of its choice.
 */

import type { Problem } from '../../base/diagnostics/problem.ts';
import { isMapValue } from '../../base/values/plain.ts';
import { isSecretName } from '../../base/values/secretName.ts';
import type { YamlSource } from '../../base/yaml/source.ts';
import { referencedVariables } from '../../base/yaml/variables.ts';

/** A field whose value is sent to another host or selects it. */
interface SentField {
  path: PropertyKey[];
  isCredential: boolean;
}

/** The addresses of stores. They may be a whole variable: a pull request cannot send its value to another host. */
const addresses = [
  {
    path: ['backend'],
    variable: /^\$\{WEBDATA_BACKEND\w*\}$/,
    what: 'the backend',
    instead: 'set WEBDATA_BACKEND to the whole address',
  },
  {
    path: ['triggers', 'store'],
    variable: /^\$\{WEBDATA_TRIGGERS_STORE\w*\}$/,
    what: 'the store',
    instead: `write \`\${WEBDATA_TRIGGERS_STORE}\` and set it to the whole address`,
  },
];
const passwordInUrl = /^[a-z+]+:\/\/[^/?#]*:([^/?#]*)@|[?&]password=([^&#]*)/i;

/** Returns a problem for each password in the address of a store that is in the file itself. */
export function writtenPasswordProblems(source: YamlSource): Problem[] {
  return addresses.flatMap(({ path, what, instead }) => {
    const [found, inHost, inQuery] = passwordInUrl.exec(source.written(path) ?? '') ?? [];
    if (found === undefined || (inHost ?? inQuery ?? '').includes('${')) return [];
    return {
      code: 'password-in-file',
      path,
      found: `the address of ${what} contains a password`,
      allowed: 'an address without a password, or with a variable in its place',
      fix: `set PGPASSWORD, or ${instead}, and change the password: it may be known`,
    };
  });
}

/**
 * Returns problems for variables that a field of the connection must not use. `allowed` has the names of variables that may be used; `*` at
 * the end of a name matches any rest.
 */
export function connectionVariableProblems(source: YamlSource, allowed: readonly string[]): Problem[] {
  return connectionFields(source.value).flatMap((field) => {
    const address = addresses.find(({ path }) => path.join('.') === field.path.join('.'));
    if (address?.variable.test(source.written(field.path) ?? '')) return [];
    return variableProblems(source, field, allowed);
  });
}

/** Returns problems for variables that the URL at a path must not use. */
export function urlVariableProblems(source: YamlSource, path: PropertyKey[], allowed: readonly string[]): Problem[] {
  return variableProblems(source, { path, isCredential: false }, allowed);
}

function variableProblems(
  source: YamlSource,
  { path, isCredential }: SentField,
  allowed: readonly string[],
): Problem[] {
  const names = new Set(referencedVariables(source.written(path) ?? ''));
  const refused = [...names].filter((name) => !isAllowed(name, isCredential, allowed));
  return refused.map((name) => notAllowed(name, path));
}

function connectionFields(value: unknown): SentField[] {
  if (!isMapValue(value)) return [];
  const { backend, service, manager, triggers } = value;
  const paths = textsIn({ backend, service, manager, triggers }, []);
  return paths.map((path) => ({ path, isCredential: isCredential(path) }));
}

function isCredential(path: readonly PropertyKey[]): boolean {
  return path.length === 2 && isSecretName(String(path[1]));
}

function textsIn(value: unknown, path: PropertyKey[]): PropertyKey[][] {
  if (typeof value === 'string') return [path];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, field]) => textsIn(field, [...path, key]));
}

/** Reports whether a field may use the variable. URLs may use `WEBDATA_*` variables, except secrets, which have fields of their own. */
function isAllowed(name: string, isCredential: boolean, allowed: readonly string[]): boolean {
  if (name.startsWith('WEBDATA_') && (isCredential || !holdsSecret(name))) return true;
  return allowed.some((pattern) => (pattern.endsWith('*') ? name.startsWith(pattern.slice(0, -1)) : name === pattern));
}

function holdsSecret(name: string): boolean {
  return isSecretName(name) || /KEY|STORE|BACKEND/.test(name);
}

function notAllowed(name: string, path: PropertyKey[]): Problem {
  return {
    code: 'variable-not-allowed',
    path,
    found: `the variable \`${name}\` may not be used here: its value would be sent to another host`,
    allowed: 'variables that begin with WEBDATA_ and hold no secret, and those that --allow-env names',
    fix: `if it belongs here, add --allow-env ${name} (in CI: WEBDATA_ALLOW_ENV=${name})`,
  };
}
