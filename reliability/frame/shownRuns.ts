/** Runs as `webdata history --format json` prints them, as far as campaigns look at them. */
export interface ShownRun {
  id: string;
  command: string;
  endedAt?: string;
  damage?: unknown;
  calls: ShownCall[];
}

export interface ShownCall {
  call:
    | { type: 'migrate'; from: string; to: string; ips: { ip: string }[] }
    | { type: 'updateSettings' | 'deletePorts' };
  outcome: string;
  movedIps: string[];
  answered?: { count?: number };
  seen?: { notMoved?: string[] };
}

/** Returns the runs, the newest first. */
export function shownRuns(json: string): ShownRun[] {
  return (JSON.parse(json) as { runs: ShownRun[] }).runs;
}
