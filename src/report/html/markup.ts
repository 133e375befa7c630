/** HTML that is safe by default: a template whose values are escaped, unless they are markup that was made in the same way. */

export interface Markup {
  readonly markup: string;
}

export type Content = Markup | string | number | false | undefined | readonly Content[];

/** Attributes must be quoted: `<a href="${target}">`. */
export function markup(texts: TemplateStringsArray, ...values: Content[]): Markup {
  return { markup: texts.map((text, index) => text + written(values[index])).join('') };
}

/** For text that holds no data: the page's own style and script. */
export function verbatim(text: string): Markup {
  return { markup: text };
}

/** As data for the page's script. No text in it can end the element that it stands in. */
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
