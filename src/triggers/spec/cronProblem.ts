/** Explains what is wrong with a cron expression, field by field. */
import { didYouMean } from '../../diagnostics/nearest.ts';
import type { Problem } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import { listValues } from '../../diagnostics/zodDescribe.ts';
import { firstWallTime, parseCron } from '../timing/cron.ts';

/** Returns undefined for a valid expression that fires at some time. */
export function cronProblem(text: string): Problem | undefined {
  const shown = `\`${shorten(text)}\``;
  if (text.trim().startsWith('@')) return nicknameProblem(text.trim());
  const written = text.trim() === '' ? [] : text.trim().split(/\s+/);
  if (written.length !== 5 && written.length !== 6)
    return wrongCron(
      `${shown} has ${written.length} field${written.length === 1 ? '' : 's'}`,
      '5 fields (minute, hour, day of month, month, day of week), or 6 with seconds first',
    );
  if (!canParse(text) || written.some(isRandom)) {
    const known = fields.slice(-written.length);
    for (const [index, field] of known.entries()) {
      const wrong = written[index] ?? '';
      if (!isField(wrong, fields.indexOf(field))) return wrongField(wrong, field, shown);
    }
  }
  return fires(text) ? undefined : { ...neverFires, found: `${shown} never fires` };
}

interface Field {
  name: string;
  allowed: string;
}

/** The fields of an expression with seconds, in order. */
const fields: readonly Field[] = [
  { name: 'second', allowed: '0 to 59' },
  { name: 'minute', allowed: '0 to 59' },
  { name: 'hour', allowed: '0 to 23' },
  { name: 'day of month', allowed: '1 to 31, or L for the last' },
  { name: 'month', allowed: '1 to 12, or JAN to DEC' },
  { name: 'day of week', allowed: '0 to 7 (Sunday is both), or SUN to SAT; 5#3 is the third Friday, 5L the last' },
];

const forms = 'each as `*`, a number, a list 1,2, a range 1-5 or a step */10';

const nicknames = [
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@weekdays',
  '@weekends',
  '@daily',
  '@hourly',
  '@minutely',
  '@secondly',
];

const neverFires: Problem = {
  code: 'cron-never-fires',
  found: '',
  allowed: 'a day that exists in one of the named months',
  fix: 'correct the day or the month; L is the last day of the month',
};

function nicknameProblem(nickname: string): Problem | undefined {
  if (nicknames.includes(nickname)) return undefined;
  return wrongCron(
    `\`${shorten(nickname)}\` is not a known nickname`,
    listValues(nicknames),
    didYouMean(nickname, nicknames) ?? 'write the fields out',
  );
}

function wrongField(wrong: string, { name, allowed }: Field, shown: string): Problem {
  if (isRandom(wrong))
    return wrongCron(
      `the ${name} of ${shown} is \`${shorten(wrong)}\`, which cron-parser replaces with a random number`,
      allowed,
      'write a number',
    );
  return wrongCron(`the ${name} of ${shown} is \`${shorten(wrong)}\``, `${allowed}; ${forms}`);
}

function wrongCron(found: string, allowed: string, fix?: string): Problem {
  return { code: 'wrong-cron', found, allowed, ...(fix && { fix }) };
}

/** Checks one field, with `*` for all other fields. */
function isField(text: string, index: number): boolean {
  return !isRandom(text) && canParse(fields.map((_, each) => (each === index ? text : '*')).join(' '));
}

/** cron-parser replaces each `H` with a random number, a different one on every machine. */
function isRandom(text: string): boolean {
  return text.replace(/[a-z]{3}/gi, '').includes('H');
}

function canParse(text: string): boolean {
  try {
    parseCron(text);
    return true;
  } catch {
    return false;
  }
}

function fires(text: string): boolean {
  return canParse(text) && firstWallTime(parseCron(text), Date.UTC(2000, 0)) !== undefined;
}
