/** Explains what is wrong with a cron expression, field by field. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { counted, shorten } from '../../base/diagnostics/valueWords.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { fieldsOf, firstWallTime, nicknames, parseCron } from '../timing/cron.ts';

/** Returns undefined for a valid expression that fires at some time. */
export function cronProblem(text: string): Problem | undefined {
  const shown = `\`${shorten(text)}\``;
  if (text.trim().startsWith('@')) return nicknameProblem(text.trim(), shown);
  if (/^\s*(?:CRON_)?TZ=/.test(text)) return wrongCron(`${shown} begins with a time zone`, wholeForm);
  const written = fieldsOf(text);
  if (written.length !== 5 && written.length !== 6)
    return wrongCron(`${shown} has ${counted(written.length, 'field')}`, wholeForm);
  const known = fields.slice(-written.length);
  for (const [index, field] of known.entries()) {
    const value = written[index] ?? '';
    const found = `the ${field.name} of ${shown} is \`${shorten(value)}\``;
    if (!isField(value, field)) return wrongCron(found, `${field.allowed}; ${forms}`);
    if (hasLongStep(value, field))
      return wrongCron(
        `${found}, a step that is longer than its ${field.count} values, after which it starts over`,
        `steps up to ${field.count}; for a fixed time between triggers, write \`every\` in place of \`cron\`, such as every: 90m`,
      );
  }
  if (fires(text)) return undefined;
  return {
    code: 'cron-never-fires',
    found: `${shown} never fires`,
    allowed: 'a day that exists in one of the named months',
    fix: 'correct the day or the month; L is the last day of the month',
  };
}

interface Field {
  name: string;
  allowed: string;
  /** The number of its values. */
  count: number;
}

/** The fields of an expression with seconds, in order. */
const fields: readonly Field[] = [
  { name: 'second', allowed: '0 to 59', count: 60 },
  { name: 'minute', allowed: '0 to 59', count: 60 },
  { name: 'hour', allowed: '0 to 23', count: 24 },
  { name: 'day of month', allowed: '1 to 31, or L for the last', count: 31 },
  { name: 'month', allowed: '1 to 12, or JAN to DEC', count: 12 },
  {
    name: 'day of week',
    allowed: '0 to 7 (Sunday is both), or SUN to SAT; 5#3 is the third Friday, 5L the last, neither in a list',
    count: 7,
  },
];

const wholeForm =
  '5 fields (minute, hour, day of month, month, day of week), or 6 with seconds first; a time zone belongs in `timeZone`';
const forms = 'each as `*`, a number, a list 1,2, an ascending range 1-5 or a step */10';

function nicknameProblem(nickname: string, shown: string): Problem | undefined {
  if (Object.hasOwn(nicknames, nickname)) return undefined;
  const known = Object.keys(nicknames);
  return wrongCron(
    `${shown} is not a known nickname`,
    `${listValues(known)}, or ${wholeForm}`,
    didYouMean(nickname, known),
  );
}

/** A field starts over after its last value, so a step of 90 minutes fires every hour. */
function hasLongStep(written: string, { count }: Field): boolean {
  return written.split(',').some((item) => Number(item.split('/')[1]) > count);
}

function wrongCron(found: string, allowed: string, fix?: string): Problem {
  return { code: 'wrong-cron', found, allowed, ...(fix && { fix }) };
}

/** Checks one field, with `*` for all other fields. cron-parser replaces each `H` with a random number, a different one on every machine. */
function isField(text: string, field: Field): boolean {
  const isRandom = text.replace(/[a-z]{3}/gi, '').includes('H');
  return !isRandom && parsed(fields.map((each) => (each === field ? text : '*')).join(' ')) !== undefined;
}

/** Fields that are right one by one may name a day that no month has, which cron-parser refuses. */
function fires(text: string): boolean {
  const cron = parsed(text);
  return cron !== undefined && firstWallTime(cron, Date.UTC(2000, 0)) !== undefined;
}

function parsed(text: string): ReturnType<typeof parseCron> | undefined {
  try {
    return parseCron(text);
  } catch {
    return undefined;
  }
}
