/** Which part of the tests a file belongs to. `npm test` runs all but the rest, `npm run test:rest` the rest. */

/** The core: what is tested without commands, servers that run for long, and databases. */
export const unit = [
  'test/{base,client,features,kinds,providers,repository}/**/*.test.ts',
  'test/engine/*.test.ts',
  'test/engine/!(backend)/**/*.test.ts',
];

/** Tests that start processes of the built program, a browser, a database or the Pulumi engine. */
export const e2e = [
  'test/e2e/**/*.test.ts',
  'test/reliability/**/*.test.ts',
  'test/bench/**/*.test.ts',
  'test/engine/backend/stores/*.test.ts',
];

/**
 * The part of them that `npm test` runs: what no test in process proves, and the essential cases of the Pulumi engine, PostgreSQL, S3 and a
 * browser. The others run in `npm run test:rest`, and so does a new file that is not in this list.
 */
export const essential = [
  'test/engine/backend/stores/conformance.test.ts',
  'test/e2e/cli/ownProcess.test.ts',
  'test/e2e/demo.test.ts',
  'test/e2e/kill.test.ts',
  'test/e2e/program.test.ts',
  'test/e2e/pulumi/native/life.test.ts',
  'test/e2e/pulumi/secrets.test.ts',
  'test/e2e/readsOnly.test.ts',
  'test/e2e/receiver/kill.test.ts',
  'test/e2e/report/page.test.ts',
  'test/e2e/secrets.test.ts',
  'test/e2e/startup.test.ts',
  'test/e2e/streams.test.ts',
  'test/e2e/triggers/sameTick.test.ts',
];

/** The tests of the trigger service's store run on SQLite with the commands, and on PostgreSQL here. */
export const stores = 'test/triggers/stores/*.test.ts';
export const essentialStores = ['test/triggers/stores/claiming.test.ts'];
