import type { Format } from './report.ts';

export const githubAnnotations: Format = () => '';
