/** The folders of the build. */
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;

/** TypeScript 7 has another name here: Pulumi accepts no `typescript` of this version, and compiles the programs of its tests with version 6. */
export const compiler = `${root}node_modules/@typescript/native/bin/tsc`;
