/**
 * Where everything stands in the picture of a plan: zones as boxes in two columns, before and after, and between them ribbons as
 * thick as what flows. With two columns a swap or a cycle is no different from any other flow. Pure geometry.
 */

export interface Flow {
  /** Flows of one key share a box. */
  from: string;
  to: string;
  weight: number;
}

export interface Frame {
  width: number;
  /** Between a side and its boxes. */
  labelRoom: number;
  /** The height of all ribbons together is no more than this. */
  ribbonRoom: number;
}

export interface Box<Its extends Flow> {
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
  /** The height that is the box's alone, so that its label meets no other. */
  slot: { y: number; height: number };
  flows: Its[];
}

export interface Ribbon<Its extends Flow> {
  flow: Its;
  thickness: number;
  /** Its upper ends. */
  start: { x: number; y: number };
  end: { x: number; y: number };
}

export interface Layout<Its extends Flow> {
  width: number;
  height: number;
  left: Box<Its>[];
  right: Box<Its>[];
  ribbons: Ribbon<Its>[];
}

const boxWidth = 10;
const leastSlot = 22;
const gap = 8;
/** One IP alone is no slab. */
const thickest = 24;

export function layout<Its extends Flow>(flows: readonly Its[], frame: Frame): Layout<Its> {
  const total = flows.reduce((sum, { weight }) => sum + weight, 0);
  const scale = total === 0 ? 0 : Math.min(frame.ribbonRoom / total, thickest);
  const lefts = Map.groupBy(flows, ({ from }) => from);
  const order = new Map([...lefts.keys()].map((key, index) => [key, index]));
  const rank = (its: readonly Its[]) =>
    its.reduce((sum, { from, weight }) => sum + weight * (order.get(from) ?? 0), 0) / weightOf(its);
  const rights = [...Map.groupBy(flows, ({ to }) => to)].sort(([, a], [, b]) => rank(a) - rank(b));
  const height = Math.max(heightOf([...lefts.values()], scale), heightOf([...new Map(rights).values()], scale));
  const left = boxes([...lefts], frame.labelRoom, height, scale);
  const right = boxes(rights, frame.width - frame.labelRoom - boxWidth, height, scale);
  return { width: frame.width, height, left, right, ribbons: ribbonsOf(flows, left, right, scale) };
}

/** The outline of a ribbon, as the `d` of an SVG path. */
export function ribbonPath({ start, end, thickness }: Ribbon<Flow>): string {
  const middle = round((start.x + end.x) / 2);
  const [top, bottom] = [round(start.y), round(start.y + thickness)];
  const [endTop, endBottom] = [round(end.y), round(end.y + thickness)];
  const there = `M${start.x} ${top}C${middle} ${top} ${middle} ${endTop} ${end.x} ${endTop}`;
  return `${there}V${endBottom}C${middle} ${endBottom} ${middle} ${bottom} ${start.x} ${bottom}Z`;
}

/** As precise as an eye can see, and no longer. */
export function round(length: number): number {
  return Math.round(length * 100) / 100;
}

function weightOf(flows: readonly Flow[]): number {
  return flows.reduce((sum, { weight }) => sum + weight, 0);
}

function slotOf(flows: readonly Flow[], scale: number): number {
  return Math.max(leastSlot, weightOf(flows) * scale);
}

function heightOf(groups: readonly (readonly Flow[])[], scale: number): number {
  const slots = groups.reduce((sum, flows) => sum + slotOf(flows, scale), 0);
  return slots + gap * Math.max(0, groups.length - 1);
}

/** One below the other, and the column in the middle of the height. */
function boxes<Its extends Flow>(
  groups: readonly [string, Its[]][],
  x: number,
  height: number,
  scale: number,
): Box<Its>[] {
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

/** At both ends in the order of the boxes at the other, so that ribbons of one box do not cross. */
function ribbonsOf<Its extends Flow>(
  flows: readonly Its[],
  left: readonly Box<Its>[],
  right: readonly Box<Its>[],
  scale: number,
): Ribbon<Its>[] {
  const starts = ends(left, right, 'to', scale);
  const stops = ends(right, left, 'from', scale);
  return flows.map((flow) => ({
    flow,
    thickness: flow.weight * scale,
    start: { x: (left[0]?.x ?? 0) + boxWidth, y: starts.get(flow) ?? 0 },
    end: { x: right[0]?.x ?? 0, y: stops.get(flow) ?? 0 },
  }));
}

function ends<Its extends Flow>(
  own: readonly Box<Its>[],
  others: readonly Box<Its>[],
  other: 'from' | 'to',
  scale: number,
): Map<Its, number> {
  const order = new Map(others.map(({ key }, index) => [key, index]));
  const tops = new Map<Its, number>();
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
