/** The report formats, each loaded on first use. A new format is a file or folder beside this one, and one line here. */
import type { AccountsFormat, FormatFunctions } from './model/accounts.ts';
import type { ReportFormat } from './model/report.ts';

const formats = {
  text: async () => (await import('./text/text.ts')).textFormat,
  json: async () => (await import('./json/json.ts')).jsonFormat,
  markdown: async () => (await import('./markdown/markdown.ts')).markdownFormat,
  html: async () => (await import('./html/html.ts')).htmlFormat,
  junit: async () => (await import('./junit.ts')).junitFormat,
  github: async () => (await import('./github.ts')).githubFormat,
} satisfies Record<string, () => Promise<FormatFunctions>>;

export type FormatName = keyof typeof formats;

export const formatNames = Object.keys(formats) as FormatName[];

export async function loadFormat(name: FormatName): Promise<ReportFormat> {
  return (await formats[name]()).one;
}

export async function loadAccountsFormat(name: FormatName): Promise<AccountsFormat> {
  return (await formats[name]()).accounts;
}
