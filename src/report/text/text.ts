/** The report as people read it in a terminal. */

import type { Format } from '../model/report.ts';
import { applyText } from './applyText.ts';
import { planText } from './planText.ts';

export const text: Format = (report, options) =>
  report.about === 'run' ? applyText(report, options) : planText(report, options);
