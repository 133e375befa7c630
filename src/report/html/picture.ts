/** The flow chart: IPs from zone to zone as plain SVG, and the same as a table. */
import { counted, formatNumber } from '../../base/diagnostics/valueWords.ts';
import type { PairChart, TableSection } from '../model/sectionTypes.ts';
import type { Style } from '../model/style.ts';
import { flowsOf, type ZoneFlow } from './flows.ts';
import { type Content, type Markup, markup } from './markup.ts';
import { type Band, type Box, bandPath, type Layout, layout, rounded, type SankeyFrame } from './sankey.ts';
import { sectionTable, type Table } from './tables.ts';

export function pictureBody(section: TableSection, chart: PairChart, style: Style): Content {
  const table = (own: Partial<Table> = {}) => sectionTable(section, style, own, (index) => `pair-${index + 1}`);
  if (chart.pairs.length < fewestPairs) return table();
  const flows = flowsOf(chart.pairs);
  const own = { open: 12, leftOut: 'The list of IPs below has all of them.' };
  return markup`<figure class="picture">
${legend(flows)}
<p class="jump"><a href="#pairs">Skip the chart and go to the table</a></p>
${drawing(flows, wide, chart)}
${drawing(flows, narrow, chart)}
<figcaption><p class="readout" id="readout" hidden></p></figcaption>
</figure>
<div id="pairs" tabindex="-1">${table(own)}</div>`;
}

/** A table of fewer says the same in less room. */
const fewestPairs = 3;

interface Drawing extends SankeyFrame {
  name: 'wide' | 'narrow';
  /** The number of characters that fit beside a box. */
  longest: number;
}

const wide: Drawing = { name: 'wide', width: 880, labelRoom: 236, bandRoom: 340, longest: 30 };
const narrow: Drawing = { name: 'narrow', width: 360, labelRoom: 106, bandRoom: 300, longest: 14 };

/** Room for the column titles, and for lines at the edge. */
const top = 30;
const bottom = 6;

function drawing(flows: readonly ZoneFlow[], drawn: Drawing, { before, after }: PairChart): Markup {
  const placed = layout(flows, drawn);
  const [leftEdge, rightEdge] = [drawn.labelRoom - 8, drawn.width - drawn.labelRoom + 8];
  return markup`<svg class="flows ${drawn.name}" viewBox="0 ${-top} ${placed.width} ${rounded(placed.height + top + bottom)}" role="group" aria-label="IPs from zone to zone">
<defs><pattern id="hatch-${drawn.name}" width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="hatch" width="2.5" height="6"/></pattern></defs>
<g aria-hidden="true"><text class="side" x="${leftEdge}" y="-14" text-anchor="end">${before}</text><text class="side" x="${rightEdge}" y="-14">${after}</text></g>
<g>${placed.bands.map((band) => bandLink(band, placed, drawn))}</g>
<g aria-hidden="true">${placed.left.map((box) => zoneBox(box, true, drawn))}${placed.right.map((box) => zoneBox(box, false, drawn))}</g>
</svg>`;
}

/** Links a band to its row in the table. With the page's script, a click lists its IPs. */
function bandLink(band: Band<ZoneFlow>, { left }: Layout<ZoneFlow>, { name }: Drawing): Markup {
  const { flow } = band;
  const label = flowText(flow);
  const d = bandPath(band);
  const hue = `hue-${left.findIndex(({ key }) => key === flow.from) % 6}`;
  const target = flow.pair === undefined ? '#pairs' : `#pair-${flow.pair + 1}`;
  const zones = flow.pair !== undefined && markup` data-from="${flow.from}" data-to="${flow.to}"`;
  const hatch = flow.isOpen && markup`<path class="open" d="${d}" fill="url(#hatch-${name})"/>`;
  return markup`<a class="band ${hue}${flow.isOpen ? ' is-open' : ''}${flow.isCut ? ' is-cut' : ''}" href="${target}"${zones} aria-label="${label}"><title>${label}</title><path class="reach" d="${d}"/><path class="flow" d="${d}"/>${hatch}</a>
`;
}

/** Describes a flow: `12 IPs from pricing to checkout, not moved`. */
function flowText({ count, from, to, isOpen, isCut, pair }: ZoneFlow): string {
  const scale = isCut ? ', not to scale' : '';
  if (pair === undefined) return `${counted(count, 'IP')} of ${from.replace('\n', '')} together${scale}`;
  return `${counted(count, 'IP')} from ${from} to ${to}${isOpen ? ', not moved' : ''}`;
}

function zoneBox(box: Box<ZoneFlow>, isLeft: boolean, { longest }: Drawing): Markup {
  const { key, x, y, width, height, slot, flows } = box;
  const name = key.replace('\n', '');
  const count = formatNumber(flows.reduce((sum, flow) => sum + flow.count, 0));
  const place = `x="${isLeft ? x - 8 : x + width + 8}"`;
  const label = fitted(name, longest - count.length - 1);
  return markup`<g class="zone"><title>${name}: ${count}</title><rect x="${x}" y="${rounded(y)}" width="${width}" height="${rounded(Math.max(height, 1))}" rx="1.5"/><text ${{ markup: place }} y="${rounded(slot.y + slot.height / 2)}" dy=".35em"${isLeft && { markup: ' text-anchor="end"' }}>${label} <tspan class="count">${count}</tspan></text></g>
`;
}

/** Shortens a name in the middle, because zone names often differ at their ends. Ideographs are as wide as two letters. */
function fitted(name: string, room: number): string {
  const characters = [...name];
  const widths = characters.map((character) => ((character.codePointAt(0) ?? 0) >= 0x1100 ? 2 : 1));
  if (widths.reduce((sum, width) => sum + width, 0) <= room) return name;
  const half = (from: number, step: 1 | -1): string[] => {
    const taken: string[] = [];
    let used = 0;
    for (let index = from; characters[index] !== undefined; index += step) {
      used += widths[index] ?? 1;
      if (used > (room - 1) / 2) break;
      taken.push(characters[index] ?? '');
    }
    return taken;
  };
  return [...half(0, 1), '…', ...half(characters.length - 1, -1).reverse()].join('');
}

function legend(flows: readonly ZoneFlow[]): Content {
  const cut = flows.find(({ isCut }) => isCut);
  return [
    flows.some(({ isOpen }) => isOpen) &&
      markup`<p class="legend"><span class="swatch solid"></span> moved <span class="swatch hatched"></span> not moved, or unknown</p>`,
    cut &&
      markup`<p class="legend"><span class="swatch dashed"></span> ${cut.from.replace('\n', '')} together, not to scale</p>`,
  ];
}
