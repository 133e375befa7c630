/** Draws how the planner finds the fewest moves, from a plan that the planner has made. */
import { type Allocation, alone, type Live, type MigrateBatch } from '../../src/kinds/zoneIpAllocation/solver/model.ts';
import { planAllocation } from '../../src/kinds/zoneIpAllocation/solver/solve.ts';
import type { Theme } from './terminal.ts';

/** The IPs of each zone by country. docs/explanations/fewest-moves.md has the same numbers. */
const held = {
  checkout: { us: 6 },
  archive: { de: 5 },
  parked: { us: 4, de: 2 },
  pricing: { us: 3 },
  search: { de: 2 },
};

const wanted = { checkout: { us: 4 }, archive: { de: 2 }, pricing: { us: 6 }, search: { de: 4 } };

const palettes: Record<Theme, Record<'background' | 'text' | 'quiet' | 'box' | 'first' | 'second' | 'rest', string>> = {
  light: {
    background: '#f6f8fa',
    text: '#1f2328',
    quiet: '#59636e',
    box: '#ffffff',
    first: '#116329',
    second: '#0550ae',
    rest: '#7d4e00',
  },
  dark: {
    background: '#161b22',
    text: '#e6edf3',
    quiet: '#9198a1',
    box: '#21262d',
    first: '#7ee787',
    second: '#79c0ff',
    rest: '#e3b341',
  },
};

/** Returns the calls of the example, one line each, and the drawing of them. */
export function fewestMoves(): { text: string; svg(theme: Theme): string } {
  const { batches } = planAllocation(allocation(), live(), alone);
  const lines = batches.map(({ from, to, moves }) => `${from} → ${to}: ${moves.length} ${moves[0]?.country}`);
  return { text: lines.join('\n'), svg: (theme) => drawn(batches, theme) };
}

function live(): Live {
  return new Map(
    Object.entries(held).map(([zone, countries], third) => {
      const ips = Object.entries(countries).flatMap(([country, count], half) =>
        Array.from({ length: count }, (_, index) => [`192.0.2.${40 * third + 20 * half + index}`, country] as const),
      );
      return [zone, new Map(ips)];
    }),
  );
}

function allocation(): Allocation {
  const zones = Object.entries(wanted).map(
    ([zone, count]) => [zone, { ips: [], count: new Map(Object.entries(count)) }] as const,
  );
  return { zones: new Map(zones), sources: [], spare: 'parked', unmanaged: 'report', protect: new Set() };
}

interface Node {
  x: number;
  y: number;
  title: string;
  note: string;
}

const [width, height, boxWidth, boxHeight] = [760, 330, 168, 52];

/** Left, the zones that give; in the middle, countries; right, the zones that receive. */
const nodes: Record<string, Node> = {
  checkout: { x: 20, y: 60, title: 'checkout', note: 'us: 6, wants 4' },
  parkedOut: { x: 20, y: 150, title: 'parked (spare)', note: 'us: 4, de: 2' },
  archive: { x: 20, y: 240, title: 'archive', note: 'de: 5, wants 2' },
  us: { x: 296, y: 90, title: 'us', note: 'any IP of the country' },
  de: { x: 296, y: 210, title: 'de', note: 'any IP of the country' },
  pricing: { x: 572, y: 60, title: 'pricing', note: 'us: 3, wants 6' },
  search: { x: 572, y: 150, title: 'search', note: 'de: 2, wants 4' },
  parkedIn: { x: 572, y: 240, title: 'parked (spare)', note: 'takes what is left' },
};

function drawn(batches: readonly MigrateBatch[], theme: Theme): string {
  const colors = palettes[theme];
  const flows = batches.flatMap(({ from, to, moves }) => {
    const [left, right] = [from === 'parked' ? 'parkedOut' : from, to === 'parked' ? 'parkedIn' : to];
    const color = from === 'parked' ? colors.second : to === 'parked' ? colors.rest : colors.first;
    const country = moves[0]?.country ?? '';
    // Bands that begin or end at one box lie beside each other.
    const band = { amount: moves.length, color, shift: color === colors.first ? -8 : 8 };
    return [flow(left, country, band), flow(country, right, band)];
  });
  const legend = [
    [colors.first, '1. surplus fills gaps'],
    [colors.second, '2. the spare fills the rest'],
    [colors.rest, '3. the spare takes the leftover'],
  ].map(([color, words], index) => {
    const x = 20 + index * 236;
    return `<path d="M${x} 26h28" stroke="${color}" stroke-width="6"/><text x="${x + 36}" y="31" fill="${colors.text}">${words}</text>`;
  });
  const boxes = Object.values(nodes).map(
    ({ x, y, title, note }) =>
      `<rect x="${x}" y="${y}" width="${boxWidth}" height="${boxHeight}" rx="6" fill="${colors.box}" stroke="${colors.quiet}"/>
<text x="${x + 12}" y="${y + 22}" fill="${colors.text}" font-weight="600">${title}</text>
<text x="${x + 12}" y="${y + 41}" fill="${colors.quiet}">${note}</text>`,
  );
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="14">
<title>Zones that give, countries, and zones that receive</title>
<rect width="100%" height="100%" rx="8" fill="${colors.background}"/>
${[...legend, ...flows, ...boxes].join('\n')}
</svg>
`;
}

interface Band {
  amount: number;
  color: string;
  shift: number;
}

/** Draws a band whose width is the number of IPs, with the number beside its left end. */
function flow(from: string, to: string, { amount, color, shift }: Band): string {
  const [left, right] = [nodes[from], nodes[to]];
  if (left === undefined || right === undefined) throw new Error(`the picture has no place for ${from} → ${to}`);
  const [x1, x2] = [left.x + boxWidth, right.x];
  const [y1, y2] = [left.y + boxHeight / 2 + shift, right.y + boxHeight / 2 + shift];
  const middle = (x1 + x2) / 2;
  return `<path d="M${x1} ${y1}C${middle} ${y1} ${middle} ${y2} ${x2} ${y2}" fill="none" stroke="${color}" stroke-width="${3 * amount}" stroke-opacity="0.75"/>
<text x="${x1 + 10}" y="${shift < 0 ? y1 - 7 : y1 + 16}" fill="${color}" font-weight="600">${amount}</text>`;
}
