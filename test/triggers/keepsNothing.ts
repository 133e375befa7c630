import { createRowKeeper } from '../../src/triggers/worker/rowKeeper.ts';

/** For workers whose schedules declare no `keep`. */
export const keepsNothing = createRowKeeper({ folder: '/dev/null', env: {} });
