/** Explains what is wrong with a cron expression, field by field. */
import { didYouMean } from '../../base/diagnostics/nearest.ts';
import type { Problem } from '../../base/diagnostics/problem.ts';
import { shorten } from '../../base/diagnostics/valueWords.ts';
import { listValues } from '../../base/diagnostics/zodDescribe.ts';
import { fieldsOf, firstWallTime, nicknames, parseCron } from '../timing/cron.ts';

/** Returns undefined for a valid expression that fires at some time. */
export function cronProblem(text: string): Problem | undefined {
  const shown = `\`${shorten(text)}\``;
  const zone = /^\s*(?:CRON_)?TZ=(\S+)\s+(.*\S)\s*$/s.exec(text);
  if (zone !== null) return zoneInside(shown, zone);
  if (text.trim().startsWith('@')) return nicknameProblem(text.trim());
  const written = fieldsOf(text);
  if (written.length !== 5 && written.length !== 6)
    return wrongCron(
      `${shown} has ${written.length} field${written.length === 1 ? '' : 's'}`,
      '5 fields (minute, hour, day of month, month, day of week), or 6 with seconds first',
    );
  const known = fields.slice(-written.length);
  if (!canParse(text) || written.some(isRandom)) {
    for (const [index, field] of known.entries()) {
      const wrong = written[index] ?? '';
      if (!isField(wrong, fields.indexOf(field))) return wrongField(wrong, field, shown);
    }
  }
  const tooLong = known.find((field, index) => hasLongStep(written[index] ?? '', field));
  if (tooLong !== undefined) return longStep(tooLong, shown);
  return fires(text) ? undefined : { ...neverFires, found: `${shown} never fires` };
}

function zoneInside(shown: string, [, zone = '', expression = '']: RegExpExecArray): Problem {
  return wrongCron(
    `${shown} begins with a time zone`,
    'an expression without a zone',
    `write \`cron: "${shorten(expression)}"\` and \`timeZone: ${shorten(zone)}\``,
  );
}

interface Field {
  name: string;
  allowed: string;
  /** The first and the last value, for ranges. */
  range: readonly [first: number, last: number];
  /** The names of the values, from the first. */
  names?: readonly string[];
}

const monthNames = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC'];
const dayNames = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT'];

/** The fields of an expression with seconds, in order. */
const fields: readonly Field[] = [
  { name: 'second', allowed: '0 to 59', range: [0, 59] },
  { name: 'minute', allowed: '0 to 59', range: [0, 59] },
  { name: 'hour', allowed: '0 to 23', range: [0, 23] },
  { name: 'day of month', allowed: '1 to 31, or L for the last', range: [1, 31] },
  { name: 'month', allowed: '1 to 12, or JAN to DEC', range: [1, 12], names: monthNames },
  {
    name: 'day of week',
    allowed: '0 to 7 (Sunday is both), or SUN to SAT; 5#3 is the third Friday, 5L the last',
    range: [0, 6],
    names: dayNames,
  },
];

const forms = 'each as `*`, a number, a list 1,2, a range 1-5 or a step */10';

const neverFires: Problem = {
  code: 'cron-never-fires',
  found: '',
  allowed: 'a day that exists in one of the named months',
  fix: 'correct the day or the month; L is the last day of the month',
};

function nicknameProblem(nickname: string): Problem | undefined {
  if (Object.hasOwn(nicknames, nickname)) return undefined;
  const known = Object.keys(nicknames);
  return wrongCron(
    `\`${shorten(nickname)}\` is not a known nickname`,
    listValues(known),
    didYouMean(nickname, known) ?? 'write the fields out',
  );
}

function wrongField(wrong: string, field: Field, shown: string): Problem {
  const { name, allowed } = field;
  if (isRandom(wrong))
    return wrongCron(
      `the ${name} of ${shown} is \`${shorten(wrong)}\`, which cron-parser replaces with a random number`,
      allowed,
      'write a number',
    );
  const { detail, corrected } = misspelling(wrong, field) ?? {};
  return wrongCron(
    `the ${name} of ${shown} is \`${shorten(wrong)}\`${detail === undefined ? '' : `: ${detail}`}`,
    `${allowed}; ${forms}`,
    corrected === undefined ? undefined : `write \`${shorten(corrected)}\``,
  );
}

interface Misspelling {
  detail: string;
  /** The right spelling, if the field has only this fault. */
  corrected?: string;
}

function misspelling(wrong: string, field: Field): Misspelling | undefined {
  const items = wrong.split(',');
  const filled = items.filter((item) => item !== '').join();
  if (filled !== wrong && items.length > 1) {
    const canCorrect = filled !== '' && isField(filled, fields.indexOf(field));
    return { detail: 'a list has an empty item', ...(canCorrect && { corrected: filled }) };
  }
  if (items.length > 1 && wrong.includes('#')) return { detail: 'a day with `#` cannot be in a list' };
  const ascending = items.map((item) => ascendingRange(item, field) ?? item).join();
  if (ascending === wrong || !isField(ascending, fields.indexOf(field))) return undefined;
  return { detail: 'a range must ascend', corrected: ascending };
}

/** A field starts over after its last value, so a step of 90 minutes fires every hour. */
function hasLongStep(written: string, { range: [first, last] }: Field): boolean {
  return written.split(',').some((item) => Number(item.split('/')[1]) > last - first + 1);
}

function longStep({ name, range: [first, last] }: Field, shown: string): Problem {
  return wrongCron(
    `the ${name} of ${shown} has a step that is longer than its ${last - first + 1} values, after which it starts over`,
    `steps up to ${last - first + 1}`,
    'for a fixed time between triggers, write `every` in place of `cron`, such as every: 90m',
  );
}

/** Returns what a descending range such as `22-2` or `FRI-MON` means; undefined for anything else. */
function ascendingRange(item: string, { range: [first, last], names = [] }: Field): string | undefined {
  const [, from = '', to = '', step] = /^(\w+)-(\w+)(?:\/(\d+))?$/.exec(item) ?? [];
  const numberOf = (word: string) => {
    const index = names.indexOf(word.toUpperCase());
    return index === -1 ? Number(word) : index + first;
  };
  const [start, end] = [numberOf(from), numberOf(to)];
  // Sunday is 0 as well as 7.
  if (start === 7 && last === 6) return `0-${to}${step === undefined ? '' : `/${step}`}`;
  if (!(start > end && start <= last && end >= first)) return undefined;
  if (step !== undefined) {
    const count = last - first + 1;
    const length = Math.floor((end + count - start) / Number(step)) + 1;
    return Array.from({ length }, (_, index) => ((start + index * Number(step) - first) % count) + first).join();
  }
  const isNamed = Number.isNaN(Number(from));
  const word = (value: number) => (isNamed ? names[value - first] : String(value));
  return [start === last ? from : `${from}-${word(last)}`, end === first ? to : `${word(first)}-${to}`].join();
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
