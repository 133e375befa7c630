// @ts-check
/** Draws the runs of the last hours: a lane per schedule, and a sign per run or group of close runs. */
import { byId, drawn, element, replaceInside } from './dom.js';
import { clock, day, now, number, signs, states } from './words.js';

/** @typedef {import('../api/runs.ts').ScheduledRun} Run */
/** @typedef {import('../api/runs.ts').RunState} RunState */
/** @typedef {{ name: string, runs: Run[] }} Lane */

const mostLanes = 10;
/** On a narrow page, the name of a lane is above its signs. */
const besideFrom = 640;
const letterWidth = 7.5;
const axisHeight = 22;
/** The width of one sign. */
const step = 22;
const hourMs = 3_600_000;
/** Over a longer time, labels also name the day. */
const longestClockMs = 30 * hourMs;

/**
 * @param {Run[]} runs latest first
 * @param {boolean} hasMore whether earlier runs were not loaded
 * @param {number} hours 0 fits the loaded runs
 */
export function drawTimeline(runs, hasMore, hours) {
  const end = hours === 0 ? fittingEnd(runs) : now();
  const oldest = runs.at(-1)?.tickAt ?? end;
  const span = hours === 0 ? fittingSpan(runs, end) : hours * hourMs;
  // Runs that were not loaded must not look as if they had not happened.
  const start = hasMore ? Math.max(end - span, oldest) : end - span;
  const seen = runs.filter(({ tickAt }) => tickAt >= start && tickAt <= end);
  const lanes = lanesOf(seen);
  byId('timeline').hidden = seen.length === 0;
  byId('timeline-about').textContent = about(seen, start, hasMore && start === oldest);
  if (seen.length > 0) draw(lanes, start, end);
  legend(seen);
}

const leastSpanMs = hourMs / 60;
const longestSpanMs = 7 * 24 * hourMs;

/**
 * Returns the latest of the runs: the time since then would be an empty part.
 * @param {Run[]} runs
 */
function fittingEnd(runs) {
  return Math.min(now(), Math.max(0, ...runs.map(({ tickAt }) => tickAt)) || now());
}

/**
 * Returns the time since the oldest of the runs, so that a few runs use the whole width.
 * @param {Run[]} runs
 * @param {number} end
 */
function fittingSpan(runs, end) {
  const ages = runs.map(({ tickAt }) => end - tickAt).filter((age) => age <= longestSpanMs);
  return Math.max(leastSpanMs, ...ages);
}

/**
 * @param {Run[]} runs
 * @returns {Lane[]}
 */
function lanesOf(runs) {
  const groups = Object.entries(Object.groupBy(runs, ({ owner, schedule }) => `${owner}/${schedule}`));
  const lanes = groups.map(([name, of = []]) => ({ name, runs: of }));
  if (lanes.length <= mostLanes) return lanes.sort((a, b) => (a.name < b.name ? -1 : 1));
  const [own, rest] = [lanes.slice(0, mostLanes - 1), lanes.slice(mostLanes - 1)];
  return [...own, { name: `${number(rest.length)} other schedules`, runs: rest.flatMap((lane) => lane.runs) }];
}

/**
 * @param {Lane[]} lanes
 * @param {number} start
 * @param {number} end
 */
function draw(lanes, start, end) {
  const width = Math.max(240, Math.floor(byId('timeline').clientWidth));
  const names = width < besideFrom ? 0 : Math.min(width / 4, Math.max(...lanes.map(nameWidth)));
  const laneHeight = names === 0 ? 38 : 26;
  const height = lanes.length * laneHeight + axisHeight;
  const [from, room] = [names + step / 2, width - names - step];
  const x = (/** @type {number} */ at) => from + ((at - start) / Math.max(1, end - start)) * room;
  const size = { viewBox: `0 0 ${width} ${height}`, width, height };
  const marks = [
    ...timeLines(start, end, x, height),
    ...lanes.map((lane, index) => drawLane(lane, { y: index * laneHeight, laneHeight, names, width, x })),
  ];
  replaceInside(
    byId('timeline-marks'),
    drawn('svg', { ...size, role: 'img', 'aria-labelledby': 'timeline-about' }, ...marks),
  );
}

/**
 * @param {number} start
 * @param {number} end
 * @param {(at: number) => number} x
 * @param {number} height
 */
function timeLines(start, end, x, height) {
  const length = end - start;
  // At most six labels, so that they fit on a phone.
  const gap =
    [1, 5, 10, 15, 30, 60, 120, 240, 480, 720, 1440]
      .map((minutes) => minutes * 60_000)
      .find((ms) => length / ms <= 6) ?? 48 * hourMs;
  const label = length > longestClockMs ? day : clock;
  const first = Math.ceil(start / gap) * gap;
  const times = Array.from(
    { length: Math.max(0, Math.floor((end - first) / gap) + 1) },
    (_, index) => first + index * gap,
  );
  return times.flatMap((at) => [
    drawn('line', { class: 'tick', x1: x(at), x2: x(at), y1: 0, y2: height - axisHeight + 4 }),
    drawn(
      'text',
      { class: 'time', x: x(at), y: height - 5, 'text-anchor': anchor(x(at), x(start), x(end)) },
      label(at),
    ),
  ]);
}

/**
 * @param {number} x
 * @param {number} left
 * @param {number} right
 */
function anchor(x, left, right) {
  if (x < left + 20) return 'start';
  return x > right - 20 ? 'end' : 'middle';
}

/** @param {Lane} lane */
function nameWidth({ name }) {
  return name.length * letterWidth + step / 2;
}

/**
 * @typedef {object} Place
 * @property {number} y
 * @property {number} laneHeight
 * @property {number} names the width of the names beside the lanes; 0 if they are above
 * @property {number} width
 * @property {(at: number) => number} x
 */

/**
 * @param {Lane} lane
 * @param {Place} place
 */
function drawLane({ name, runs }, { y, laneHeight, names, width, x }) {
  const groups = Object.values(Object.groupBy(runs, ({ tickAt }) => String(Math.floor(x(tickAt) / step))));
  const letters = Math.floor((names || width) / letterWidth);
  const shown = name.length > letters ? `${name.slice(0, letters - 1)}…` : name;
  return drawn(
    'g',
    {},
    drawn('line', { class: 'lane', x1: 0, x2: width, y1: y + laneHeight - 1, y2: y + laneHeight - 1 }),
    drawn('text', { class: 'lane-name', x: 0, y: y + (names === 0 ? 11 : 17) }, shown),
    ...groups.map((group = []) => mark(group, y + laneHeight - (names === 0 ? 12 : 13), x)),
  );
}

/**
 * Draws a group of runs with the sign of the worst state.
 * @param {Run[]} runs
 * @param {number} y
 * @param {(at: number) => number} x
 */
function mark(runs, y, x) {
  const counts = countsOf(runs);
  const [worst = 'finished'] = counts.keys();
  const middle = runs.reduce((sum, { tickAt }) => sum + x(tickAt), 0) / runs.length;
  const times = [runs.at(-1), runs.at(0)].map((run) => sinceText(run?.tickAt ?? 0));
  const when = times[0] === times[1] ? times[0] : `${times[0]} to ${times[1]}`;
  return drawn(
    'g',
    { class: `mark is-${worst}`, transform: `translate(${middle.toFixed(1)} ${y})` },
    drawn('title', {}, `${when}: ${countText(counts)}`),
    shapeOf(worst),
    drawn('text', { 'text-anchor': 'middle', y: 3.5 }, signs[worst]),
  );
}

/** @param {RunState} state */
function shapeOf(state) {
  if (state === 'finished') return drawn('circle', { r: 7.5 });
  if (state === 'unknown') return drawn('path', { d: 'M0 -9.5 9.5 0 0 9.5 -9.5 0Z' });
  if (state === 'skipped' || state === 'cancelled') return drawn('circle', { r: 7.5, class: 'open' });
  if (state === 'waiting' || state === 'triggering' || state === 'running') {
    return drawn('rect', { x: -7.5, y: -7.5, width: 15, height: 15, rx: 4, class: 'open' });
  }
  return drawn('rect', { x: -7.5, y: -7.5, width: 15, height: 15 });
}

/**
 * Counts runs by state, the worst first.
 * @param {Run[]} runs
 */
function countsOf(runs) {
  const counts = states.map(
    (state) => /** @type {const} */ ([state, runs.filter((run) => run.state === state).length]),
  );
  return new Map(counts.filter(([, count]) => count > 0));
}

/** @param {Map<RunState, number>} counts */
function countText(counts) {
  return [...counts].map(([state, count]) => `${number(count)} ${state}`).join(', ');
}

/**
 * @param {Run[]} runs
 * @param {number} start
 * @param {boolean} isCut
 */
function about(runs, start, isCut) {
  const since = isCut ? `since ${sinceText(start)}, as far back as the list below goes` : `since ${sinceText(start)}`;
  return `${number(runs.length)} ${runs.length === 1 ? 'run' : 'runs'} ${since}: ${countText(countsOf(runs))}`;
}

/** @param {number} at */
function sinceText(at) {
  return now() - at > longestClockMs ? day(at) : clock(at);
}

/** @param {Run[]} runs */
function legend(runs) {
  replaceInside(byId('legend'), ...[...countsOf(runs).keys()].map((state) => element('li', {}, sign(state), state)));
  byId('legend').hidden = runs.length === 0;
}

/** @param {RunState} state */
function sign(state) {
  const svg = drawn('svg', { viewBox: '-10 -10 20 20', width: 18, height: 18, 'aria-hidden': 'true' });
  svg.append(
    drawn(
      'g',
      { class: `mark is-${state}` },
      shapeOf(state),
      drawn('text', { 'text-anchor': 'middle', y: 3.5 }, signs[state]),
    ),
  );
  return svg;
}
