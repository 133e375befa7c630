/** TLS to a real PostgreSQL, whose certificate is of an authority of one's own. */
import { execFileSync } from 'node:child_process';
import { chmodSync, chownSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openObjectStore } from '../../src/engine/backend/store/open.ts';
import { openStore } from '../../src/triggers/store/open.ts';
import { freePort } from '../freePort.ts';
import { newPostgresFolder, postgresPrograms, startPostgres, unprivilegedUser } from './postgres.ts';

const hasPrograms = postgresPrograms !== undefined && existsSync('/usr/bin/openssl');

/** Writes a certificate for `localhost` and its key, signed by itself, which is its own authority. */
function certify(folder: string): { cert: string; key: string } {
  const [cert, key] = [join(folder, 'server.crt'), join(folder, 'server.key')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  const files = ['-keyout', key, '-out', cert];
  execFileSync('openssl', ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2', ...subject, ...files], {
    stdio: 'ignore',
  });
  chmodSync(key, 0o600);
  const user = unprivilegedUser();
  if (user !== undefined) for (const file of [cert, key]) chownSync(file, user.uid, user.gid);
  return { cert, key };
}

it.skipIf(!hasPrograms && process.env.CI === undefined)(
  'a certificate is verified with sslrootcert, and refused without it',
  async () => {
    const folder = newPostgresFolder();
    const { cert, key } = certify(folder);
    const port = await freePort();
    const tls = `-c ssl=on -c ssl_cert_file=${cert} -c ssl_key_file=${key}`;
    const postgres = await startPostgres(folder, `-c listen_addresses=127.0.0.1 -c port=${port} ${tls}`);
    try {
      const address = `postgres://webdata@localhost:${port}/postgres?sslmode=verify-full`;
      const known = `${address}&sslrootcert=${encodeURIComponent(cert)}`;
      const ledger = await openStore(known);
      const [row] = await ledger.query<{ ssl: boolean }>('SELECT ssl FROM pg_stat_ssl WHERE pid = pg_backend_pid()');
      expect(row?.ssl).toBe(true);
      await ledger.close();
      const backend = await openObjectStore(known, {});
      await expect(backend.read('nothing')).resolves.toBeUndefined();
      await backend.close();

      await expect(openStore(address)).rejects.toMatchObject({ problems: [{ code: 'store-tls' }] });
      const otherName = known.replace('localhost', '127.0.0.1');
      await expect(openStore(otherName)).rejects.toMatchObject({ problems: [{ code: 'store-tls' }] });
      const unknown = await openObjectStore(address, {});
      await expect(unknown.read('nothing')).rejects.toMatchObject({ problems: [{ code: 'backend-tls' }] });
      await unknown.close();
    } finally {
      await postgres.remove();
    }
  },
);
