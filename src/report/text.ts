/** The report as people read it in a terminal. */
import { applyText } from './applyText.ts';
import { planText } from './planText.ts';
import type { Format } from './report.ts';

export const text: Format = (report, options) =>
  report.about === 'run' ? applyText(report, options) : planText(report, options);
