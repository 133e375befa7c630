import { describe, expect, it } from 'vitest';
import { ordered } from '../../../../src/kinds/zoneIpAllocation/solver/order.ts';

/** `a -> b 2`: a call that moves two IPs. */
function calls(...texts: string[]) {
  return texts.map((text) => {
    const [from = '', , to = '', count = ''] = text.split(' ');
    return { from, to, moves: Array.from({ length: Number(count) }, (_, index) => index) };
  });
}

function orderOf(texts: string[], live: Record<string, number>, floors: Record<string, number>) {
  const { blocked, ...found } = ordered(calls(...texts), sizes(live), sizes(floors));
  return blocked ?? ('batches' in found ? found.batches.map(({ from, to }) => `${from} -> ${to}`) : []);
}

const sizes = (of: Record<string, number>) => new Map(Object.entries(of));

describe('the order of calls', () => {
  it('stays as it is without floors', () => {
    expect(orderOf(['a -> b 2', 'c -> b 1'], { a: 2, b: 0, c: 1 }, {})).toEqual(['a -> b', 'c -> b']);
  });

  it('begins with zones that can give everything', () => {
    expect(orderOf(['a -> b 1', 'b -> a 1'], { a: 1, b: 2 }, { a: 1, b: 1 })).toEqual(['b -> a', 'a -> b']);
  });

  it('lets a zone go down to its floor, and no further', () => {
    expect(orderOf(['a -> b 1'], { a: 3, b: 0 }, { a: 2 })).toEqual(['a -> b']);
    expect(orderOf(['a -> b 2'], { a: 3, b: 0 }, { a: 2 })).toEqual({ zone: 'a', floor: 2, left: 1, cycle: [] });
  });

  it('is found by a search if the first call that is possible leads into a dead end', () => {
    const found = orderOf(['a -> b 1', 'a -> c 1', 'c -> a 1'], { a: 2, b: 0, c: 1 }, { a: 1, c: 1 });
    expect(found).toEqual(['a -> c', 'c -> a', 'a -> b']);
  });

  it('sends the calls of zones with room before those that wait for them', () => {
    const found = orderOf(['a -> b 1', 'b -> c 2', 'c -> a 1'], { a: 1, b: 1, c: 1 }, { a: 1, b: 0, c: 1 });
    expect(found).toEqual({ zone: 'a', floor: 1, left: 0, cycle: ['a', 'b', 'c', 'a'] });
    expect(orderOf(['a -> b 1', 'b -> c 2', 'c -> a 1'], { a: 1, b: 1, c: 2 }, { a: 1, b: 0, c: 1 })).toEqual([
      'c -> a',
      'a -> b',
      'b -> c',
    ]);
  });

  it('names the circle alone, without the zones that wait for it', () => {
    const texts = ['x -> parked 1', 'a -> x 1', 'a -> b 1', 'b -> a 1'];
    expect(orderOf(texts, { x: 1, a: 1, b: 1 }, { x: 1, a: 1, b: 1 })).toEqual({
      zone: 'x',
      floor: 1,
      left: 0,
      cycle: ['a', 'b', 'a'],
    });
  });

  it('counts an unlisted zone as empty', () => {
    expect(orderOf(['gone -> a 1'], { a: 0 }, { gone: 0 })).toEqual({ zone: 'gone', floor: 0, left: -1, cycle: [] });
  });
});
