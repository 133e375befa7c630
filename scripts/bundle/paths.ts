/** The folders of the build. */
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));
export const dist = `${root}dist/`;

/** TypeScript 7 has another name here, because Pulumi accepts no `typescript` of this version beside it. */
export const compiler = `${root}node_modules/@typescript/native/bin/tsc`;
