/** A benchmark: a name, and a run that returns rows of the table. */
import type { ChildProcess } from 'node:child_process';

export interface Benchmark {
  /** The NAME in `npm run bench -- NAME`. */
  name: string;
  /** One sentence for the page: the measurement and its baseline. */
  about: string;
  run(stage: Stage): Promise<Row[]>;
}

export interface Row {
  what: string;
  /** Figures with their units. */
  ours: string;
  floor: string;
  /** The ratio of the pairs, in the direction of `must`. */
  ratio?: Ratio;
  must: string;
  reached: boolean | 'absent';
  note?: string;
}

export interface Ratio {
  median: number;
  min: number;
  max: number;
}

/** The environment of a running benchmark. */
export interface Stage extends Ground {
  /** Reports progress on stderr. */
  log(line: string): void;
}

/** The folder and the means to end processes that a benchmark starts. */
export interface Ground {
  /** An empty folder of its own, removed afterwards. */
  folder: string;
  /** Ends this process with the benchmark, even after an error. */
  keep(child: ChildProcess): void;
}

/** Returns the row of a figure that is compared with a limit, and with nothing else. */
export function limited(what: string, ours: string, limit: string, reached: boolean): Row {
  return { what, ours, floor: '', must: `≤ ${limit}`, reached };
}

/** Returns the row for a peer that this machine does not have. */
export function absent(what: string, peer: string, must: string, howToHaveIt: string): Row {
  return { what, ours: '', floor: `${peer}: absent`, must, reached: 'absent', note: howToHaveIt };
}

/** Explains below the table why the goal is not reached. */
export function unlessReached(row: Row, why: string): Row {
  return row.reached === false ? { ...row, note: why } : row;
}
