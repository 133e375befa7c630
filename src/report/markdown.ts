import type { Format } from './report.ts';

export const markdown: Format = () => '';
