// @ts-check
/** Says in words when a cron expression fires. */

const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'];

/** @type {Record<string, string>} */
const nicknames = {
  '@hourly': '0 * * * *',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@weekly': '0 0 * * 0',
  '@weekdays': '0 0 * * 1-5',
  '@weekends': '0 0 * * 0,6',
  '@monthly': '0 0 1 * *',
};

/**
 * Returns undefined for an expression that a few words cannot describe.
 * @param {string} cron
 */
export function cronWords(cron) {
  const fields = (nicknames[cron.trim()] ?? cron).trim().split(/\s+/);
  if (fields.length !== 5) return undefined;
  const [minute = '', hour = '', date = '', month = '', weekday = ''] = fields;
  const time = timeWords(minute, hour);
  const day = dayWords(date, month, weekday);
  if (time === undefined || day === undefined) return undefined;
  return time.startsWith('every')
    ? [time, day === 'every day' ? '' : `on ${day}`].join(' ').trim()
    : `${day} at ${time}`;
}

/**
 * @param {string} minute
 * @param {string} hour
 */
function timeWords(minute, hour) {
  const step = /^\*\/(\d+)$/;
  if (hour === '*') {
    if (minute === '*') return 'every minute';
    const each = step.exec(minute)?.[1];
    if (each !== undefined && 60 % Number(each) === 0) return `every ${each} minutes`;
    return isNumber(minute) ? `every hour at :${minute.padStart(2, '0')}` : undefined;
  }
  if (!isNumber(minute)) return undefined;
  const each = step.exec(hour)?.[1];
  if (each !== undefined && 24 % Number(each) === 0) return `every ${each} hours at :${minute.padStart(2, '0')}`;
  const hours = hour.split(',');
  if (!hours.every(isNumber)) return undefined;
  return hours.map((each) => `${each.padStart(2, '0')}:${minute.padStart(2, '0')}`).join(' and ');
}

/**
 * @param {string} date
 * @param {string} month
 * @param {string} weekday
 */
function dayWords(date, month, weekday) {
  if (month !== '*') return undefined;
  if (date === '*' && weekday === '*') return 'every day';
  if (date === '*') return weekdayWords(weekday.toUpperCase());
  if (weekday !== '*') return undefined;
  if (date === 'L') return 'the last day of the month';
  return isNumber(date) ? `day ${date} of the month` : undefined;
}

/** @param {string} weekday */
function weekdayWords(weekday) {
  if (weekday === '1-5' || weekday === 'MON-FRI') return 'weekdays';
  if (['0,6', '6,0', 'SAT,SUN', 'SUN,SAT'].includes(weekday)) return 'weekends';
  const names = weekday.split(',').map((each) => {
    const index = isNumber(each) ? Number(each) % 7 : days.findIndex((day) => day.slice(0, 3).toUpperCase() === each);
    return days[index];
  });
  return names.includes(undefined) ? undefined : names.map((name) => `${name}s`).join(' and ');
}

/** @param {string} text */
function isNumber(text) {
  return /^\d{1,2}$/.test(text);
}
