/** The address of a delivery: the trigger service puts a tick and a run into it, and the receiver finds them there. */

export interface RunAddress {
  /** The other parts of the path, such as the owner and the name of a delivery. */
  folders: string[];
  /** The run in the query, `?run=ID`, or at the end of the path. */
  run: string | undefined;
  /** The tick and the run, as the path or the query names them. */
  label: string[];
}

export const mostParts = 8;

/** Returns undefined for a path with too many parts. */
export function runAddressOf({ pathname, searchParams }: URL): RunAddress | undefined {
  const folders = pathname
    .split('/')
    .filter((part) => part !== '')
    .map(decoded);
  if (folders.length > mostParts) return undefined;
  const start = folders.findIndex((_, index) => folders.slice(index).every((part) => runPart.test(part)));
  const inPath = start === -1 ? [] : folders.splice(start);
  const run = searchParams.get('run') || inPath.join('.').match(runId)?.[0];
  const tick = searchParams.get('tick') || undefined;
  return { folders, run, label: inPath.length > 0 ? inPath : [tick, run].filter((part) => part !== undefined) };
}

const runId = /r_[\da-f]{20}/;

export function isRunId(text: string): boolean {
  return runId.exec(text)?.[0] === text;
}

/** A tick, a run or both. */
const runPart = /^(?:\d{4}-\d\d-\d\dT\d\d-\d\d-\d\dZ(?:\.r_[\da-f]{20})?|r_[\da-f]{20})$/;

function decoded(part: string): string {
  try {
    return decodeURIComponent(part);
  } catch {
    return part;
  }
}
