import type { Format } from './report.ts';

export const junit: Format = () => '';
