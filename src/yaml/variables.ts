/**
 * `${NAME}` in the values of a YAML file. Only the text of one scalar is ever touched, after the file was parsed, so that
 * no variable can add a key, an item or a comment, whatever it holds.
 */
import { isScalar, Scalar, type ScalarTag, Schema } from 'yaml';
import { didYouMean } from '../diagnostics/nearest.ts';
import type { Problem } from '../diagnostics/problem.ts';
import { inexactNumber, keepsDigits } from './exactNumbers.ts';

export type Environment = Readonly<Record<string, string | undefined>>;

/** A problem with one variable; `nth` counts the `${` in the scalar's text from 0, to find its column. */
export interface VariableProblem {
  nth: number;
  problem: Problem;
}

export interface Substitution {
  value: unknown;
  /** What was put in, with the names: value and name of each variable. */
  used: { name: string; value: string }[];
  problems: VariableProblem[];
}

const REFERENCE = /\$\$\{|\$\{(?:([A-Za-z_][A-Za-z0-9_]*)\})?/g;
const LONGEST_SHOWN = 40;
const NAME = 'letters, digits and _, not starting with a digit';

/**
 * The scalar's value with its variables put in. `$${` stands for a literal `${`. A plain scalar that is nothing but one
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
    used.push({ name, value });
    return value;
  });
  const value = isOneVariable(scalar) ? retyped(text) : text;
  if (typeof value === 'number' && !keepsDigits(text, value)) {
    problems.push({ nth: 0, problem: inexactNumber(`in \`${used[0]?.name}\``) });
  }
  return { value, used, problems };
}

/** The names of the variables in a text, as the file has it. */
export function referencedVariables(written: string): string[] {
  return [...written.matchAll(REFERENCE)].flatMap(([, name]) => (name === undefined ? [] : [name]));
}

function isOneVariable(scalar: Scalar<string>): boolean {
  return scalar.type === Scalar.PLAIN && /^\$\{[A-Za-z0-9_]+\}$/.test(scalar.value);
}

const TYPED = new Schema({ schema: 'core' }).tags.filter(
  (tag): tag is ScalarTag => !tag.collection && /:(bool|int|float)$/.test(tag.tag),
);

/** Not null, though YAML would: a variable must not be able to remove a key by saying `null`. */
function retyped(text: string): unknown {
  const tag = TYPED.find((candidate) => candidate.test?.test(text));
  const value = tag ? tag.resolve(text, () => undefined, {}) : text;
  return isScalar(value) ? value.value : value;
}

function missing(name: string, isEmpty: boolean, env: Environment): Problem {
  const others = Object.keys(env).filter((other) => env[other] && other !== name);
  const near = didYouMean(name, others);
  const literally = `write \`$\${${name}}\` for the text itself`;
  return {
    code: 'missing-variable',
    found: `the environment variable \`${name}\` is ${isEmpty ? 'empty' : 'not set'}`,
    fix: `${near === undefined ? '' : `${near} If not: `}set it, or ${literally}`,
  };
}

/** `rest` is the text from the `${` on; what is shown of it ends with its `}` or its first word. */
function malformed(rest: string): Problem {
  const written = /^[^}\s]*\}?/.exec(rest)?.[0] ?? rest;
  return {
    code: 'malformed-variable',
    found: `\`${written}\` is not a variable`,
    allowed: `\`\${NAME}\`, the name in ${NAME}`,
    fix: 'write `$${` for a literal `${`',
  };
}
