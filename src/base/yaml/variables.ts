/**
 * Substitutes `${NAME}` in the values of a YAML file. Changes only the text of single scalars, after the file was parsed, so that the
 * value of a variable cannot add a key, an item or a comment.
 */
import { isScalar, Scalar, type ScalarTag, Schema } from 'yaml';
import { didYouMean } from '../diagnostics/nearest.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { inexactNumber, keepsDigits } from './exactNumbers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with one variable; `nth` counts the `${` in the scalar's text from 0, to find its column. */
interface VariableProblem {
  nth: number;
  problem: Problem;
}

interface Substitution {
  value: unknown;
  /** The name and value of each substituted variable. */
  used: { name: string; value: string }[];
  problems: VariableProblem[];
}

/** The variables that the documentation asks users to set, with an example of each value. */
const documentedVariables: ReadonlyMap<string, string> = new Map([
  ['WEBDATA_API_URL', 'https://api.example.com'],
  ['WEBDATA_API_KEY', 'KEY'],
  ['WEBDATA_MANAGER_URL', 'http://127.0.0.1:22999'],
  ['WEBDATA_MANAGER_TOKEN', 'TOKEN'],
  ['WEBDATA_TRIGGERS_URL', 'http://127.0.0.1:22997'],
  ['WEBDATA_TRIGGERS_TOKEN', 'TOKEN'],
  ['WEBDATA_BACKEND', 's3://BUCKET/PREFIX'],
  ['WEBDATA_ZONE_PASSWORD', 'PASSWORD'],
]);

const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?/g;
const LONGEST_SHOWN = 40;
const NAME = 'letters, digits and _, not starting with a digit';

/**
 * Substitutes the variables of a scalar. `$${` is a literal `${`. A plain scalar that is nothing but one
 * `${NAME}` becomes a number or a boolean where YAML would read the variable's text as one; any other stays a string.
 */
export function substitute(scalar: Scalar<string>, env: Environment): Substitution {
  const used: Substitution['used'] = [];
  const problems: VariableProblem[] = [];
  let nth = -1;
  const text = scalar.value.replaceAll(REFERENCE, (written: string, name: string | undefined, offset: number) => {
    nth += 1;
    if (written === '$${') return '${';
    if (name === undefined) {
      problems.push({ nth, problem: malformed(scalar.value.slice(offset, offset + LONGEST_SHOWN)) });
      return written;
    }
    const value = Object.hasOwn(env, name) ? env[name] : undefined;
    if (!value) {
      problems.push({ nth, problem: missing(name, value === '', env) });
      return written;
    }
    if (value.includes('\uFFFD')) problems.push({ nth, problem: notUtf8(name) });
    used.push({ name, value });
    return value;
  });
  const value = isOneVariable(scalar) ? retyped(text) : text;
  if (typeof value === 'number' && !keepsDigits(text, value)) {
    problems.push({ nth: 0, problem: inexactNumber(`in \`${used[0]?.name}\``) });
  }
  return { value, used, problems };
}

/** Returns the names of the variables in a text as it is in the file. */
export function referencedVariables(written: string): string[] {
  return [...written.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function isOneVariable(scalar: Scalar<string>): boolean {
  return scalar.type === Scalar.PLAIN && /^\$\{[A-Za-z0-9_]+\}$/.test(scalar.value);
}

const TYPED = new Schema({ schema: 'core' }).tags.filter(
  (tag): tag is ScalarTag => !tag.collection && /:(bool|int|float)$/.test(tag.tag),
);

/** Reads numbers and booleans, but not null: a variable with the value `null` must not remove a key. */
function retyped(text: string): unknown {
  const tag = TYPED.find((candidate) => candidate.test?.test(text));
  const value = tag ? tag.resolve(text, () => undefined, {}) : text;
  return isScalar(value) ? value.value : value;
}

function missing(name: string, isEmpty: boolean, env: Environment): Problem {
  const isSet = (other: string) => env[other] && other !== name;
  const others = [...Object.keys(env).filter(isSet), ...documentedVariables.keys()];
  // The names of an empty variable and of a documented one are right. Names of several accounts, such as ACME_EU_KEY and ACME_US_KEY,
  // differ in more than one letter.
  const near = isEmpty || documentedVariables.has(name) ? undefined : didYouMean(name, others, 1);
  const literally = `write \`$\${${name}}\` for the literal text`;
  return {
    code: 'missing-variable',
    found: `the environment variable \`${name}\` is ${isEmpty ? 'empty' : 'not set'}`,
    fix: `${near === undefined ? '' : `${near} If not: `}\`export ${name}=${documentedVariables.get(name) ?? 'VALUE'}\`, or ${literally}`,
  };
}

/** Node replaces the bytes of a variable that are not UTF-8. */
function notUtf8(name: string): Problem {
  return {
    code: 'not-utf-8',
    found: `the environment variable \`${name}\` is not text in UTF-8`,
    allowed: 'text in UTF-8',
    fix: 'set it in a shell whose locale is UTF-8, such as LC_ALL=C.UTF-8',
  };
}

/** `rest` is the text from the `${` on. The problem shows it up to its `}` or the end of its first word. */
function malformed(rest: string): Problem {
  const written = /^[^}\s]*\}?/.exec(rest)?.[0] ?? rest;
  return {
    code: 'malformed-variable',
    found: `\`${written}\` is not a variable`,
    allowed: `\`\${NAME}\`, where NAME has ${NAME}`,
    fix: 'write `$${` for a literal `${`',
  };
}
