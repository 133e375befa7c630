/** Several declarations of one account on a backend that a team shares. */

import { describe } from 'vitest';
import { testTwoDeclarations, ways } from '../../../cli/baseline/twoDeclarations.ts';
import { describeStores } from '../servers.ts';

describeStores('two declarations in one backend', (server) => {
  describe.each(ways)('named by %s', (way) => {
    testTwoDeclarations(way, async () => ({ address: await server.newAddress(), env: server.env() }));
  });
});
