/** `webdata triggers rotate-key`: seals every secret of the ledger anew, under the first of the keys. */
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { examples } from '../../options/examples.ts';
import { withConnection } from '../../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';
import { encryptionKeys, type StoreFlags, storeAddress, withStoreAddress } from './store.ts';

export function addRotate(command: Command, { io, end }: Shell): void {
  withStoreAddress(
    withConnection(command.description('seals the secrets of the ledger anew, under the first of the keys')),
  )
    .addHelpText(
      'after',
      examples({
        'webdata triggers rotate-key': 'with WEBDATA_TRIGGERS_KEY=NEW,OLD, once every server has both keys',
        'webdata triggers rotate-key --store postgres://ledger.internal/webdata': 'in another store',
      }),
    )
    .action(async (flags: StoreFlags) => end(await rotate(flags, io)));
}

async function rotate(flags: StoreFlags, io: Io): Promise<ExitCode> {
  const keys = await encryptionKeys(io);
  if (keys.length === 0) throw new ProblemError([noKeys]);
  const [{ openStore }, { createSealer }, { rotateKey }] = await Promise.all([
    import('../../../triggers/store/open.ts'),
    import('../../../triggers/secrets/secrets.ts'),
    import('../../../triggers/ledger/rotation.ts'),
  ]);
  const sealer = createSealer(keys);
  const database = await openStore(storeAddress(flags, io));
  try {
    const { deliveries, schedules } = await rotateKey(database, sealer);
    io.stdout.write(`Sealed anew under the first key: deliveries ${deliveries}, schedules ${schedules}.\n`);
  } finally {
    await database.close();
  }
  return exitCodes.done;
}

const noKeys = {
  code: 'no-encryption-key',
  found: 'there is no key to seal with',
  allowed: 'the new key, then the one before it',
  fix: 'set WEBDATA_TRIGGERS_KEY=NEW,OLD, or WEBDATA_TRIGGERS_KEY_FILE (openssl rand -base64 32 makes a key)',
};
