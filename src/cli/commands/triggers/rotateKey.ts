/** `webdata triggers rotate-key`. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { connectionIfAny } from '../../../engine/doors/connection.ts';
import { withConnection } from '../../options/options.ts';
import { addExamples } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { keysFrom, type StoreFlags, storeAddress, withStoreAddress } from './ledgerOptions.ts';

export function addRotateKey(command: Command, { io, end }: Shell): void {
  withStoreAddress(withConnection(command.description('Re-encrypt the stored secrets with the first key'))).action(
    async (flags: StoreFlags) => end(await rotate(flags, io)),
  );
  addExamples(command, {
    'webdata triggers rotate-key': 'with WEBDATA_TRIGGERS_KEY=NEW,OLD, after every server has both keys',
    'webdata triggers rotate-key --store postgres://ledger.internal/webdata': 'in another ledger',
  });
}

async function rotate(flags: StoreFlags, io: Io): Promise<ExitCode> {
  const keys = await keysFrom(io);
  if (keys.length === 0) throw new ProblemError([noKeys]);
  const [{ openStore }, { createSealer }, { rotateKey }] = await Promise.all([
    import('../../../triggers/store/open.ts'),
    import('../../../triggers/secrets/secrets.ts'),
    import('../../../triggers/ledger/rotation.ts'),
  ]);
  const sealer = createSealer(keys);
  const database = await openStore(storeAddress(flags, await connectionIfAny(flags, io), io));
  try {
    const { deliveries, schedules } = await rotateKey(database, sealer);
    io.stdout.write(`Re-encrypted with the first key: deliveries ${deliveries}, schedules ${schedules}.\n`);
  } finally {
    await database.close();
  }
  return exitCodes.done;
}

const noKeys = {
  code: 'no-encryption-key',
  found: 'no encryption key is set',
  allowed: 'the new key, then the old one',
  fix: 'set WEBDATA_TRIGGERS_KEY=NEW,OLD, or WEBDATA_TRIGGERS_KEY_FILE (`openssl rand -base64 32` makes a key)',
};
