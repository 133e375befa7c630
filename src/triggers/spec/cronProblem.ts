/** What is wrong with a cron expression, field by field. */
import { didYouMean } from '../../diagnostics/nearest.ts';
import type { Problem } from '../../diagnostics/problem.ts';
import { shorten } from '../../diagnostics/valueWords.ts';
import { listValues } from '../../diagnostics/zodDescribe.ts';
import { firstWallTime, parseCron } from '../timing/cron.ts';

/** Undefined where it is an expression, and fires. */
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

/** In the order of an expression with seconds. */
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
  allowed: 'a day that comes in a month that is named',
  fix: 'correct day or month; L is the last day of the month',
};

function nicknameProblem(nickname: string): Problem | undefined {
  if (nicknames.includes(nickname)) return undefined;
  return wrongCron(
    `there is no \`${shorten(nickname)}\``,
    listValues(nicknames),
    didYouMean(nickname, nicknames) ?? 'write the fields out',
  );
}

function wrongField(wrong: string, { name, allowed }: Field, shown: string): Problem {
  if (isRandom(wrong))
    return wrongCron(
      `the ${name} of ${shown} is \`${shorten(wrong)}\`, which is drawn by lot`,
      allowed,
      'write the number',
    );
  return wrongCron(`the ${name} of ${shown} is \`${shorten(wrong)}\``, `${allowed}; ${forms}`);
}

function wrongCron(found: string, allowed: string, fix?: string): Problem {
  return { code: 'wrong-cron', found, allowed, ...(fix && { fix }) };
}

/** Alone among `*`, so that whatever is wrong is this field. */
function isField(text: string, index: number): boolean {
  return !isRandom(text) && canParse(fields.map((_, each) => (each === index ? text : '*')).join(' '));
}

/** cron-parser would draw a number for each `H`: another one on every machine. */
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
