/** The journal of an account with a long history. */

/** Returns the text of a journal with `count` past runs, a minute apart, each of which moved one IP. `first` is the number of the first one. */
export function pastRuns(count: number, origin = 'http://127.0.0.1:1', first = 0): string {
  return Array.from({ length: count }, (_, index) => pastRun(first + index, origin)).join('');
}

function pastRun(index: number, origin: string): string {
  const run = `00000000-0000-4000-8000-${index.toString(16).padStart(12, '0')}`;
  const at = new Date(Date.UTC(2024, 0, 1) + index * 60_000).toISOString();
  const ip = `198.18.${(index >> 8) & 255}.${index & 255}`;
  const [from, to] = ['pricing', 'checkout'];
  const resource = { kind: 'ZoneIpAllocation', collection: 'zoneIpAllocations', name: 'static' };
  const call = { type: 'migrate', from, to, moves: [{ ip, country: 'us', from, to, reason: 'declared' }] };
  const entries = [
    { type: 'run', run, at, command: 'apply', origin, version: '0.1.0' },
    { type: 'sending', run, seq: 0, at, resource, call },
    { type: 'answered', run, seq: 0, at, count: 1 },
    { type: 'seen', run, seq: 0, at, moved: [ip], notMoved: [], elsewhere: [], notVisible: [] },
    { type: 'end', run, at, result: 'done' },
  ];
  return entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');
}
