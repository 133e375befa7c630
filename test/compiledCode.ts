/** Compiled code that the processes of all tests share: most have a home of their own, or none, and would compile everything again. */
import { resolve } from 'node:path';

/** Part of the environment of a process. */
export const sharedCompiledCode = { NODE_COMPILE_CACHE: resolve('node_modules/.cache/compiled') } as const;
