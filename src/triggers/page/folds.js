// @ts-check
/** Folds repeated runs of a schedule to one row, so that a schedule of one minute does not hide the others. */

/** @typedef {import('../api/runs.ts').ScheduledRun} Run */

/**
 * @typedef {object} Fold
 * @property {string} id stays as long as the oldest run is loaded
 * @property {Run} latest
 * @property {Run} slowest the one whose job took the longest
 * @property {number} count
 * @property {number} from the first tick
 * @property {number | null} rows in total
 * @property {boolean} isOpen
 */

/** @typedef {{ run: Run, isFolded: boolean } | { fold: Fold }} Row */

/** Fewer runs than this are shown one by one. */
const leastRuns = 3;

/** The ids of the runs that the user has unfolded. */
const opened = new Set();

/**
 * Returns a row for each run and each fold. A fold stands at the place of its latest run, and its runs below it if it is open.
 * @param {Run[]} runs latest first
 */
export function rowsOf(runs) {
  return groupsOf(runs).flatMap((group) => {
    const isFolded = group.length >= leastRuns;
    const rows = group.map((run) => /** @type {Row} */ ({ run, isFolded }));
    if (!isFolded) return rows;
    const fold = foldOf(group);
    return [/** @type {Row} */ ({ fold }), ...(fold.isOpen ? rows : [])];
  });
}

/**
 * Opens a fold, or closes it.
 * @param {Run[]} runs latest first
 * @param {string} foldId
 */
export function toggleFold(runs, foldId) {
  const group = groupsOf(runs).find((each) => idOf(each) === foldId) ?? [];
  const change = isOpened(group) ? 'delete' : 'add';
  for (const { id } of group) opened[change](id);
}

/**
 * @param {[Run, ...Run[]]} group
 * @returns {Fold}
 */
function foldOf(group) {
  const counts = group.flatMap(({ rows }) => rows ?? []);
  const tookMs = (/** @type {Run} */ { triggeredAt, endedAt }) => (endedAt ?? 0) - (triggeredAt ?? endedAt ?? 0);
  return {
    id: idOf(group),
    latest: group[0],
    slowest: group.reduce((slowest, run) => (tookMs(run) > tookMs(slowest) ? run : slowest)),
    count: group.length,
    from: Math.min(...group.map(({ tickAt }) => tickAt)),
    rows: counts.length === 0 ? null : counts.reduce((sum, rows) => sum + rows),
    isOpen: isOpened(group),
  };
}

/** @param {Run[]} group */
function idOf(group) {
  return `fold of ${group.at(-1)?.id}`;
}

/**
 * Runs that join an open fold are shown too.
 * @param {Run[]} group
 */
function isOpened(group) {
  return group.some(({ id }) => opened.has(id));
}

/**
 * Groups the runs of each schedule that follow each other and differ in their times only.
 * @param {Run[]} runs
 */
function groupsOf(runs) {
  /** @type {Map<string, [Run, ...Run[]]>} */
  const current = new Map();
  /** @type {[Run, ...Run[]][]} */
  const groups = [];
  for (const run of runs) {
    const schedule = JSON.stringify([run.owner, run.schedule]);
    const group = current.get(schedule);
    if (group && isRepeated(group[0], run)) group.push(run);
    else {
      const begun = /** @type {[Run, ...Run[]]} */ ([run]);
      current.set(schedule, begun);
      groups.push(begun);
    }
  }
  return groups;
}

/**
 * @param {Run} latest
 * @param {Run} earlier
 */
function isRepeated(latest, earlier) {
  return (
    /** @type {const} */ (['state', 'late', 'origin', 'target']).every((field) => latest[field] === earlier[field]) &&
    withoutNumbers(latest.reason) === withoutNumbers(earlier.reason)
  );
}

/**
 * Reasons may contain times and ids, such as `j_4f2a`.
 * @param {string | null} reason
 */
function withoutNumbers(reason) {
  return reason?.replaceAll(/\w*\d\w*/g, '…');
}
