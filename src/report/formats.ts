/** The formats there are, each loaded when it is asked for. A new one is a file of its own, and a line here. */
import type { Format } from './model/report.ts';

const formats = {
  text: async () => (await import('./text/text.ts')).text,
  json: async () => (await import('./json/json.ts')).json,
  markdown: async () => (await import('./markdown/markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
  junit: async () => (await import('./junit.ts')).junit,
  sarif: async () => (await import('./sarif.ts')).sarif,
  github: async () => (await import('./github.ts')).githubAnnotations,
} satisfies Record<string, () => Promise<Format>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

export function formatOf(name: FormatName): Promise<Format> {
  return formats[name]();
}
