/** Derives the cells of the matrix from the calls of a run without faults. */
import { beforeFirstWrite, type Clean } from './cell.ts';
import { faultKinds } from './kinds.ts';
import type { Cell, HitRequests } from './rules.ts';
import type { Scenario } from './scenario.ts';

export function cellsOf(scenario: Scenario, clean: Clean): Cell[] {
  const made = new Set(clean.seen.flatMap(({ call }) => call ?? []));
  return [...made].flatMap((call) =>
    faultKinds
      .filter((fault) => makesSense({ scenario, call, fault }))
      .flatMap((fault) =>
        placesOf({ scenario, call, fault }, clean).map((place) => ({ scenario, call, fault, place })),
      ),
  );
}

/** Excludes limits of size for bodies that are streamed. */
function makesSense({ scenario, call, fault }: Omit<Cell, 'place'>): boolean {
  const isSize = fault.heavy === true || fault.play.as === 'declared size';
  if (isSize && call.stream) return false;
  if (scenario.isPatient && fault.slow && (fault.play.as !== 'silence' || call.kind === 'read')) return false;
  return usual.has(fault.name) || (scenario.home?.includes(call.name) ?? false);
}

/** The faults that every scenario gets. Only the home scenario of a call gets all faults. */
const usual: ReadonlySet<string> = new Set([
  ...['401', '403', '404', '409', '422', '429'],
  ...['500 before', '503 before', '501 before', '500 after', '502 after', '503 after'],
  ...['timeout before', 'timeout after', 'timeout, and the effect later'],
  ...['drop before', 'drop after', 'reset before', 'reset after', 'truncated', 'no HTTP', '302 to elsewhere'],
  ...['invalid JSON', 'an HTML page', 'an HTML page before the effect', 'another type', 'fields of other types'],
  'gzip that is none',
]);

/** Faults that show how a run reads back after a write. */
const laterToo: ReadonlySet<string> = new Set(['401', '404', '500 before', 'drop before', 'truncated']);

function placesOf({ scenario, call, fault }: Omit<Cell, 'place'>, { seen }: Clean): HitRequests[] {
  const count = seen.filter((each) => each.call === call).length;
  const before = beforeFirstWrite(seen, call).length;
  // A read that fails ends the run, so hitting all of its requests adds nothing.
  const isOne = !fault.passes && (count === 1 || call.kind === 'read');
  if (fault.harmless || fault.heavy || fault.play.as === 'endless drip') return ['all'];
  if (fault.slow && scenario.isPatient) return ['first'];
  const isReadBack = call.kind === 'read' && before > 0 && count > before;
  return [
    'first',
    ...(isOne || scenario.brief ? [] : (['all'] as const)),
    ...(isReadBack && laterToo.has(fault.name) ? (['later'] as const) : []),
    ...(call.kind !== 'read' && count > 1 ? (['last'] as const) : []),
  ];
}

/** Returns a few cells of each scenario for the short form, different ones for each, without long waits. */
export function sampled({ name }: Scenario, cells: readonly Cell[]): Cell[] {
  const quick = cells.filter(({ fault }) => !fault.slow && !fault.heavy);
  return someOf(quick, perScenario, name);
}

const perScenario = 2;

/** Returns about `count` items, evenly spaced. Another name gives other items. */
export function someOf<Item>(items: readonly Item[], count: number, name: string): Item[] {
  const offset = [...name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
  const step = Math.max(1, Math.floor(items.length / count));
  return items.filter((_, index) => index % step === offset % step);
}
