/** Groups neighbours among ascending whole numbers: [[1, 3], [7, 7]] for 1, 2, 3, 7. */
export function rangesOf(values: readonly number[]): [number, number][] {
  const ranges: [number, number][] = [];
  for (const value of values) {
    const range = ranges.at(-1);
    if (range?.[1] === value - 1) range[1] = value;
    else ranges.push([value, value]);
  }
  return ranges;
}
