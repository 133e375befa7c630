/** The geometry of the picture, whatever flows. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { bandPath, layout, type SankeyFlow } from '../../../src/report/html/sankey.ts';

const zone = fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f');
const flow: fc.Arbitrary<SankeyFlow> = fc.record({ from: zone, to: zone, weight: fc.integer({ min: 1, max: 50_000 }) });
const flows = fc.uniqueArray(flow, { minLength: 1, selector: ({ from, to }) => `${from} ${to}` });
const frame = { width: 880, labelRoom: 236, bandRoom: 340 };
const barely = 1e-6;

/** One below the other, in the order of their tops. */
function expectApart(spans: { y: number; height: number }[]): void {
  const sorted = spans.toSorted((a, b) => a.y - b.y || a.height - b.height);
  for (const [index, { y }] of sorted.entries()) {
    const above = sorted[index - 1];
    if (above) expect(y).toBeGreaterThanOrEqual(above.y + above.height - barely);
  }
}

describe('the picture', () => {
  it('draws each band as thick as what flows', () => {
    fc.assert(
      fc.property(flows, (drawn) => {
        const { bands } = layout(drawn, frame);
        const scale = (bands[0]?.thickness ?? 0) / (bands[0]?.flow.weight ?? 1);
        expect(bands).toHaveLength(drawn.length);
        expect(scale).toBeGreaterThan(0);
        for (const band of bands) expect(band.thickness).toBeCloseTo(band.flow.weight * scale, 6);
      }),
    );
  });

  it('draws each zone as high as its bands together', () => {
    fc.assert(
      fc.property(flows, (drawn) => {
        const { left, right, bands } = layout(drawn, frame);
        for (const [boxes, side] of [
          [left, 'from'],
          [right, 'to'],
        ] as const) {
          for (const box of boxes) {
            const own = bands.filter((band) => band.flow[side] === box.key);
            expect(own.reduce((sum, { thickness }) => sum + thickness, 0)).toBeCloseTo(box.height, 6);
          }
        }
      }),
    );
  });

  it('lets no zones, labels or ends of bands overlap', () => {
    fc.assert(
      fc.property(flows, (drawn) => {
        const { left, right, bands } = layout(drawn, frame);
        for (const boxes of [left, right]) {
          expectApart(boxes);
          expectApart(boxes.map(({ slot }) => slot));
        }
        expectApart(bands.map(({ start, thickness }) => ({ y: start.y, height: thickness })));
        expectApart(bands.map(({ end, thickness }) => ({ y: end.y, height: thickness })));
      }),
    );
  });

  it('stays within its frame, labels beside it', () => {
    fc.assert(
      fc.property(flows, (drawn) => {
        const { left, right, height, bands } = layout(drawn, frame);
        for (const box of [...left, ...right]) {
          expect(box.slot.y).toBeGreaterThanOrEqual(-barely);
          expect(box.slot.y + box.slot.height).toBeLessThanOrEqual(height + barely);
          expect(box.x).toBeGreaterThanOrEqual(frame.labelRoom);
          expect(box.x + box.width).toBeLessThanOrEqual(frame.width - frame.labelRoom);
        }
        for (const { start, end } of bands) expect(start.x).toBeLessThan(end.x);
      }),
    );
  });

  it('has each band begin and end at its zones', () => {
    fc.assert(
      fc.property(flows, (drawn) => {
        const { left, right, bands } = layout(drawn, frame);
        for (const { flow: its, start, end, thickness } of bands) {
          const from = left.find(({ key }) => key === its.from);
          const to = right.find(({ key }) => key === its.to);
          for (const [box, { y }] of [
            [from, start],
            [to, end],
          ] as const) {
            expect(y).toBeGreaterThanOrEqual((box?.y ?? Number.NaN) - barely);
            expect(y + thickness).toBeLessThanOrEqual((box?.y ?? 0) + (box?.height ?? 0) + barely);
          }
        }
      }),
    );
  });

  it('does not cross two bands of one zone', () => {
    const { bands, right } = layout(
      [
        { from: 'a', to: 'x', weight: 5 },
        { from: 'a', to: 'y', weight: 9 },
        { from: 'b', to: 'x', weight: 20 },
      ],
      frame,
    );
    const [toX, toY] = bands;
    const isAbove = (right.find(({ key }) => key === 'x')?.y ?? 0) < (right.find(({ key }) => key === 'y')?.y ?? 0);
    expect((toX?.start.y ?? 0) < (toY?.start.y ?? 0)).toBe(isAbove);
  });

  it('writes a closed outline that both ends are on', () => {
    const [band] = layout([{ from: 'a', to: 'b', weight: 2 }], frame).bands;
    expect(band && bandPath(band)).toBe('M246 0C440 0 440 0 634 0V48C440 48 440 48 246 48Z');
  });
});
