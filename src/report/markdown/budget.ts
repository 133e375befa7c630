/** Markdown within a limit: sections share the room there is, and what does not fit is told in words with numbers. */

export interface Section {
  /** Before the items: a heading, the head of a table. */
  head: string;
  items: readonly Item[];
  /** The texts of the items that are shown, as Markdown. */
  body(shown: readonly string[]): string;
  /** What is left out: `… and 450 more pairs (45000 IPs).` */
  more(left: readonly Item[], isAll: boolean): string;
  /** Opened by who wants to see it; the title is ours. */
  folded?: string | undefined;
}

/** A line, or lines that stand together. Of thousands only those are written that may fit. */
export interface Item {
  text(): string;
  /** How many IPs, settings, problems it tells of. */
  weight: number;
}

export interface Fitted {
  text: string;
  isCut: boolean;
}

/** The sections in their order. What is folded gets what the others leave, and no less than a small share. */
export function fitted(sections: readonly Section[], room: number): Fitted {
  const open = sections.filter(({ folded }) => folded === undefined);
  const folded = sections.filter((section) => section.folded !== undefined);
  const opened = fittedAlike(open, room - folded.length * leastFolded);
  const used = opened.reduce((sum, { text }) => sum + bytes(text) + gap.length, 0);
  const all = [...opened, ...fittedAlike(folded, room - used)];
  return { text: all.map(({ text }) => text).join(gap), isCut: all.some(({ isCut }) => isCut) };
}

/** In UTF-8: there are never more UTF-16 units than that. */
export function bytes(text: string): number {
  return Buffer.byteLength(text);
}

const gap = '\n\n';
const leastFolded = 4_000;
/** For the words about what is left out, the frame of what is folded, the fences of a block. */
const frame = 1_000;

/** Small sections are whole; the large ones share what these leave in equal parts. */
function fittedAlike(sections: readonly Section[], room: number): Fitted[] {
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
  section: Section;
  /** Of as many items as there could be room for. */
  texts: readonly string[];
  /** Infinite where not all of them are written. */
  size: number;
}

function measured(section: Section, room: number): Measured {
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
