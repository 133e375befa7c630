import type { Format } from '../report.ts';

export const html: Format = () => '';
