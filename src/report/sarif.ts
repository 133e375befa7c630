import type { Format } from './report.ts';

export const sarif: Format = () => '';
