/** Codes of problems that another resource of the same program may resolve, once it is declared or applied. */
import { capability } from './capability.ts';

export const resolvableProblems = capability<readonly string[]>();
