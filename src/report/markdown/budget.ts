/** Fits Markdown into a size limit: sections share the room, and each says how many items it leaves out. */

export interface MarkdownSection {
  /** Text before the items: a heading, the head of a table. */
  head: string;
  items: readonly MarkdownItem[];
  /** Formats the texts of the shown items as Markdown. */
  body(shown: readonly string[]): string;
  /** Formats the items that are left out: `… and 450 more pairs (45000 IPs).` */
  more(left: readonly MarkdownItem[], isAll: boolean): string;
  /** The title of a folded section. It is not escaped. */
  folded?: string | undefined;
}

/** One or more lines that belong together. `text` is only called for items that may fit. */
export interface MarkdownItem {
  text(): string;
  /** The number of IPs, settings or problems in the item. */
  weight: number;
}

interface Fitted {
  text: string;
  isCut: boolean;
}

/** Returns the sections in their order. Folded sections get the room that the others leave, but at least a small share. */
export function fitted(sections: readonly MarkdownSection[], room: number): Fitted {
  const open = sections.filter((section) => section.folded === undefined);
  const folded = sections.filter((section) => section.folded !== undefined);
  const opened = fittedAlike(open, room - folded.length * leastFolded);
  const used = opened.reduce((sum, { text }) => sum + bytes(text) + gap.length, 0);
  const all = [...opened, ...fittedAlike(folded, room - used)];
  return { text: all.map(({ text }) => text).join(gap), isCut: all.some(({ isCut }) => isCut) };
}

/** Returns the size in UTF-8, which is never less than the number of UTF-16 units. */
export function bytes(text: string): number {
  return Buffer.byteLength(text);
}

const gap = '\n\n';
const leastFolded = 4_000;
/** Room for the count of left-out items, the markup of a folded section and the fences of a block. */
const frame = 1_000;

/** Keeps small sections whole. Large sections share the rest in equal parts. */
function fittedAlike(sections: readonly MarkdownSection[], room: number): Fitted[] {
  const all = sections.map((section) => measured(section, room));
  const shares = new Map<Measured, number>();
  let left = room;
  for (const [index, each] of all.toSorted((a, b) => a.size - b.size).entries()) {
    const share = Math.min(each.size, Math.floor(left / (all.length - index)));
    shares.set(each, share);
    left -= share;
  }
  return all.map((each) => fittedSection(each, shares.get(each) ?? 0));
}

interface Measured {
  section: MarkdownSection;
  /** The texts of as many items as could fit. */
  texts: readonly string[];
  /** Infinite if not all items could fit. */
  size: number;
}

function measured(section: MarkdownSection, room: number): Measured {
  const texts: string[] = [];
  let size = bytes(section.head) + frame;
  for (const item of section.items) {
    const text = item.text();
    size += bytes(text) + 1;
    if (size > room) return { section, texts, size: Number.POSITIVE_INFINITY };
    texts.push(text);
  }
  return { section, texts, size };
}

function fittedSection({ section, texts, size }: Measured, share: number): Fitted {
  const { head, items, body, more, folded } = section;
  const count = size <= share ? items.length : countWithin(texts, share - bytes(head) - frame);
  const left = items.slice(count);
  const parts = [
    ...(count > 0 ? [head + body(texts.slice(0, count))] : []),
    ...(left.length > 0 ? [more(left, count === 0)] : []),
  ];
  return { text: inFold(parts.join(gap), folded), isCut: left.length > 0 };
}

function countWithin(texts: readonly string[], room: number): number {
  let used = 0;
  const index = texts.findIndex((text) => {
    used += bytes(text) + 1;
    return used > room;
  });
  return index === -1 ? texts.length : index;
}

function inFold(text: string, title: string | undefined): string {
  return title === undefined ? text : `<details>\n<summary>${title}</summary>\n\n${text}\n\n</details>`;
}
