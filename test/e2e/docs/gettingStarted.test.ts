/** The first page does what it says from the installation on: with the packed package, in an empty folder. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { describeDifference, play } from '../../docs/session/play.ts';
import { pack } from '../packed.ts';

it('does what it says', { timeout: 900_000 }, async () => {
  const packed = await mkdtemp(join(tmpdir(), 'webdata-packed-'));
  try {
    const env = {
      // The session has a home of its own, and npm installs packages in it.
      npm_config_cache: join(homedir(), '.npm'),
      NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
    };
    const replaced = { './pulumi-webdata-0.1.0.tgz': await pack(packed) };
    const differences = await play(['docs/getting-started.md'], { env, replaced });
    expect(differences.map(describeDifference).join('\n\n')).toBe('');
  } finally {
    await rm(packed, { recursive: true });
  }
});
