/**
 * The geometry of the flow chart: zones are boxes in two columns, before and after, and the bands between them are as thick as the
 * number of IPs. With two columns, swaps and cycles are flows like any other.
 */

export interface SankeyFlow {
  /** The keys of the boxes. Flows with the same key share a box. */
  from: string;
  to: string;
  weight: number;
}

export interface SankeyFrame {
  width: number;
  /** The room between the edge and the boxes. */
  labelRoom: number;
  /** The largest total height of all bands. */
  bandRoom: number;
}

export interface Box<Flow extends SankeyFlow> {
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The height reserved for the box, so that labels do not overlap. */
  slot: { y: number; height: number };
  flows: Flow[];
}

export interface Band<Flow extends SankeyFlow> {
  flow: Flow;
  thickness: number;
  /** The upper corners. */
  start: { x: number; y: number };
  end: { x: number; y: number };
}

export interface Layout<Flow extends SankeyFlow> {
  width: number;
  height: number;
  left: Box<Flow>[];
  right: Box<Flow>[];
  bands: Band<Flow>[];
}

const boxWidth = 10;
const leastSlot = 22;
const gap = 8;
/** The largest thickness of one IP. */
const thickest = 24;

export function layout<Flow extends SankeyFlow>(flows: readonly Flow[], frame: SankeyFrame): Layout<Flow> {
  const total = weightOf(flows);
  const scale = total === 0 ? 0 : Math.min(frame.bandRoom / total, thickest);
  const lefts = Map.groupBy(flows, ({ from }) => from);
  const order = new Map([...lefts.keys()].map((key, index) => [key, index]));
  const rank = (bands: readonly Flow[]) =>
    bands.reduce((sum, { from, weight }) => sum + weight * (order.get(from) ?? 0), 0) / weightOf(bands);
  const rights = [...Map.groupBy(flows, ({ to }) => to)].sort(([, a], [, b]) => rank(a) - rank(b));
  const height = Math.max(heightOf([...lefts.values()], scale), heightOf([...new Map(rights).values()], scale));
  const left = boxes([...lefts], frame.labelRoom, height, scale);
  const right = boxes(rights, frame.width - frame.labelRoom - boxWidth, height, scale);
  return { width: frame.width, height, left, right, bands: bandsOf(flows, left, right, scale) };
}

/** Returns the outline of a band, as the `d` of an SVG path. */
export function bandPath({ start, end, thickness }: Band<SankeyFlow>): string {
  const middle = rounded((start.x + end.x) / 2);
  const [top, bottom] = [rounded(start.y), rounded(start.y + thickness)];
  const [endTop, endBottom] = [rounded(end.y), rounded(end.y + thickness)];
  const there = `M${start.x} ${top}C${middle} ${top} ${middle} ${endTop} ${end.x} ${endTop}`;
  return `${there}V${endBottom}C${middle} ${endBottom} ${middle} ${bottom} ${start.x} ${bottom}Z`;
}

/** Rounds to two decimals, which are precise enough for a drawing. */
export function rounded(length: number): number {
  return Math.round(length * 100) / 100;
}

function weightOf(flows: readonly SankeyFlow[]): number {
  return flows.reduce((sum, { weight }) => sum + weight, 0);
}

function slotOf(flows: readonly SankeyFlow[], scale: number): number {
  return Math.max(leastSlot, weightOf(flows) * scale);
}

function heightOf(groups: readonly (readonly SankeyFlow[])[], scale: number): number {
  const slots = groups.reduce((sum, flows) => sum + slotOf(flows, scale), 0);
  return slots + gap * Math.max(0, groups.length - 1);
}

/** Stacks the boxes of a column and centres it vertically. */
function boxes<Flow extends SankeyFlow>(
  groups: readonly [string, Flow[]][],
  x: number,
  height: number,
  scale: number,
): Box<Flow>[] {
  const used = heightOf(
    groups.map(([, flows]) => flows),
    scale,
  );
  let y = (height - used) / 2;
  return groups.map(([key, flows]) => {
    const slot = { y, height: slotOf(flows, scale) };
    y += slot.height + gap;
    const own = weightOf(flows) * scale;
    return { key, x, y: slot.y + (slot.height - own) / 2, width: boxWidth, height: own, slot, flows };
  });
}

/** Sorts the bands at both ends by the boxes at the other end, so that bands of one box do not cross. */
function bandsOf<Flow extends SankeyFlow>(
  flows: readonly Flow[],
  left: readonly Box<Flow>[],
  right: readonly Box<Flow>[],
  scale: number,
): Band<Flow>[] {
  const starts = ends(left, right, 'to', scale);
  const stops = ends(right, left, 'from', scale);
  return flows.map((flow) => ({
    flow,
    thickness: flow.weight * scale,
    start: { x: (left[0]?.x ?? 0) + boxWidth, y: starts.get(flow) ?? 0 },
    end: { x: right[0]?.x ?? 0, y: stops.get(flow) ?? 0 },
  }));
}

function ends<Flow extends SankeyFlow>(
  own: readonly Box<Flow>[],
  others: readonly Box<Flow>[],
  other: 'from' | 'to',
  scale: number,
): Map<Flow, number> {
  const order = new Map(others.map(({ key }, index) => [key, index]));
  const tops = new Map<Flow, number>();
  for (const box of own) {
    let { y } = box;
    const sorted = box.flows.toSorted((a, b) => (order.get(a[other]) ?? 0) - (order.get(b[other]) ?? 0));
    for (const flow of sorted) {
      tops.set(flow, y);
      y += flow.weight * scale;
    }
  }
  return tops;
}
