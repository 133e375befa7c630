/** What a benchmark is: a name, and a run that yields rows of the one table. */
import type { ChildProcess } from 'node:child_process';

export interface Benchmark {
  /** What `npm run bench -- NAME` calls it. */
  name: string;
  /** One sentence for the page: what is measured against what. */
  about: string;
  run(stage: Stage): Promise<Row[]>;
}

export interface Row {
  what: string;
  /** Figures with their units. */
  ours: string;
  floor: string;
  /** Of the pairs, in the sense that `must` speaks of. */
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

/** What a benchmark stands on while it runs. */
export interface Stage extends Ground {
  /** Says how far it is, on stderr. */
  log(line: string): void;
}

/** What processes need to run and to be ended. */
export interface Ground {
  /** Its own, empty; removed afterwards. */
  folder: string;
  /** Ends this process with the benchmark, however that ends. */
  keep(child: ChildProcess): void;
}

/** A peer that this machine does not have. */
export function absent(what: string, peer: string, must: string, howToHaveIt: string): Row {
  return { what, ours: '', floor: `${peer}: absent`, must, reached: 'absent', note: howToHaveIt };
}

/** Says why, below the table, where it does not reach what it must. */
export function unlessReached(row: Row, why: string): Row {
  return row.reached === false ? { ...row, note: why } : row;
}
