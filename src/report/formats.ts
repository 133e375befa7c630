/** The report formats, each loaded on first use. A new format is a file or folder beside this one, and one line here. */
import type { ReportFormat } from './model/report.ts';

const formats = {
  text: async () => (await import('./text/text.ts')).textReport,
  json: async () => (await import('./json/json.ts')).json,
  markdown: async () => (await import('./markdown/markdown.ts')).markdown,
  html: async () => (await import('./html/html.ts')).html,
  junit: async () => (await import('./junit.ts')).junit,
  sarif: async () => (await import('./sarif.ts')).sarif,
  github: async () => (await import('./github.ts')).githubAnnotations,
} satisfies Record<string, () => Promise<ReportFormat>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

export function loadFormat(name: FormatName): Promise<ReportFormat> {
  return formats[name]();
}
