/** Collects runs from the lines of the journal, and marks damaged ones. */

import { counted } from '../../base/diagnostics/valueWords.ts';
import type { NumberedLine } from '../backend/backend.ts';
import type { JournaledCall, Run } from './journal.ts';
import { type DamagedLine, parseLine, type ReadEntry } from './journalEntry.ts';
import { strayPrefix } from './runId.ts';

export interface CollectedRun {
  run: Run;
  /** The latest time in its lines. */
  lastAt: string;
  /** Empty unless the reader keeps lines. */
  lines: NumberedLine[];
}

interface Building extends CollectedRun {
  hasHeader: boolean;
  calls: Map<number, JournaledCall>;
}

export class RunCollector {
  readonly #keepsLines: boolean;
  readonly #runs = new Map<string, Building>();
  /** The run of the last line. A damaged line without a run id counts as one of its lines. */
  #last: Building | undefined;
  #lastAt = new Date(0).toISOString();
  /** Damaged lines between runs, most likely the first line of the next run. */
  #stray: { line: NumberedLine; found: string }[] = [];
  #hasStray = false;
  #hasRun = false;

  /** `keepsLines` keeps the text of each line with its run. */
  constructor({ keepsLines = false } = {}) {
    this.#keepsLines = keepsLines;
  }

  /** Returns the run that the line belongs to, if one is known. */
  add(line: NumberedLine): CollectedRun | undefined {
    const [number, text] = line;
    const parsed = parseLine(text);
    if (parsed === undefined || parsed.kind === 'cut') return undefined;
    const building = parsed.kind === 'entry' ? this.#addEntry(parsed.entry, number) : this.#addDamaged(parsed, line);
    if (building === undefined) return undefined;
    const at = parsed.kind === 'entry' ? parsed.entry.at : parsed.at;
    if (at !== undefined) this.#lastAt = at;
    if (at !== undefined && at > building.lastAt) building.lastAt = at;
    if (this.#keepsLines) building.lines.push(line);
    this.#last = building;
    this.#hasRun = true;
    return building;
  }

  /** True if the file has lines, but none of a run. */
  get isNoJournal(): boolean {
    return this.#hasStray && !this.#hasRun;
  }

  drop({ id }: Run): void {
    if (this.#last?.run.id === id) this.#last = undefined;
    this.#runs.delete(id);
  }

  /** Returns the runs in the order of their start. Damaged lines without a run count as a run, since they may hide one. */
  collected(): CollectedRun[] {
    this.#endStray();
    const all = [...this.#runs.values()];
    return [...all.filter(({ run }) => run.isEarlier), ...all.filter(({ run }) => !run.isEarlier)];
  }

  #addEntry(entry: ReadEntry, line: number): Building {
    if (entry.type === 'run') return this.#addHeader(entry, line);
    const building = this.#runs.get(entry.run) ?? this.#beginWithoutHeader(entry.run, entry.at, line);
    const { run, calls } = building;
    if (entry.type === 'end')
      run.ended = { at: entry.at, result: entry.result, ...(entry.left && { left: entry.left }) };
    else if (entry.type === 'sending') {
      const { seq, resource, call, at: sentAt } = entry;
      if (calls.has(seq)) addDamage(run, line, `repeats call ${seq} of its run`);
      else run.calls.push(setIn(calls, seq, { seq, resource, call, sentAt }));
    } else {
      const { type, run: _, seq, ...what } = entry;
      const call = calls.get(seq);
      if (call) Object.assign(call, { [type]: what });
      else addDamage(run, line, withoutCall(entry));
    }
    return building;
  }

  #addHeader(entry: Extract<ReadEntry, { type: 'run' }>, line: number): Building {
    this.#endStray();
    const { type: _, run: id, at: startedAt, ...header } = entry;
    const building = this.#runs.get(id) ?? this.#begin(id, startedAt);
    if (building.hasHeader) addDamage(building.run, line, 'starts a run that has already started');
    else Object.assign(building.run, header, { startedAt });
    building.hasHeader = true;
    return building;
  }

  #addDamaged({ found, run: id, at = this.#lastAt }: DamagedLine, line: NumberedLine): Building | undefined {
    const open = this.#last?.run.ended ? undefined : this.#last;
    const building = id === undefined ? open : (this.#runs.get(id) ?? this.#beginWithoutHeader(id, at));
    this.#hasStray ||= building === undefined;
    if (building === undefined) this.#stray.push({ line, found });
    else addDamage(building.run, line[0], found);
    return building;
  }

  #begin(id: string, startedAt: string): Building {
    const run: Run = { id, command: 'unknown', origin: '', version: '', startedAt, calls: [] };
    return setIn(this.#runs, id, { run, lastAt: startedAt, lines: [], hasHeader: false, calls: new Map() });
  }

  /** Starts a run without a header. Stray lines before its first known line count as its header. */
  #beginWithoutHeader(id: string, at: string, line?: number): Building {
    const building = this.#begin(id, at);
    for (const stray of this.#stray) {
      addDamage(building.run, stray.line[0], stray.found);
      if (this.#keepsLines) building.lines.push(stray.line);
    }
    if (this.#stray.length === 0 && line !== undefined) {
      addDamage(building.run, line, 'is the first known line of its run: the line that starts the run is missing');
    }
    this.#stray = [];
    return building;
  }

  #endStray(): void {
    const [first] = this.#stray;
    if (first) this.#beginWithoutHeader(`${strayPrefix}${first.line[0]}`, this.#lastAt);
  }
}

function setIn<Key, Value>(map: Map<Key, Value>, key: Key, value: Value): Value {
  map.set(key, value);
  return value;
}

/** Only this many damaged lines are listed for a run: they are enough to find the others. */
const mostDamage = 20;

function addDamage(run: Run, line: number, found: string): void {
  run.damage ??= [];
  if (run.damage.length < mostDamage) run.damage.push({ line, found });
}

function withoutCall(entry: Extract<ReadEntry, { seq: number }>): string {
  const moved = 'moved' in entry ? entry.moved : [];
  const details =
    moved.length === 0 ? '' : `; it moved ${counted(moved.length, 'IP')}: ${moved.slice(0, 10).join(', ')}`;
  return `is about call ${entry.seq}, whose own line is missing or damaged${details}`;
}
