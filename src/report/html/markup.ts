/** HTML that is safe by default: a template tag that escapes all values except other markup. */

export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | false | undefined | readonly Content[];

/** Builds markup from a template. Attributes must be quoted: `<a href="${target}">`. */
export function markup(texts: TemplateStringsArray, ...values: Content[]): Markup {
  return { markup: texts.map((text, index) => text + written(values[index])).join('') };
}

/** Draws a sentence of the program, in which backticks enclose code. */
export function sentence(text: string): Content {
  return text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? markup`<code>${part}</code>` : part));
}

/** Inserts text without escaping. Only for text without data: the page's own style and script. */
export function verbatim(text: string): Markup {
  return { markup: text };
}

/** Embeds data for the page's script. No text in it can end the script element. */
export function embeddedJson(data: unknown): Markup {
  return { markup: JSON.stringify(data).replaceAll('<', '\\u003c') };
}

function written(content: Content): string {
  if (content === undefined || content === false) return '';
  if (typeof content === 'string') return escaped(content);
  if (typeof content === 'number') return String(content);
  return 'markup' in content ? content.markup : content.map(written).join('');
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

function escaped(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => entities[character] ?? '');
}
