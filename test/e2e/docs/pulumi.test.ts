/** First programs with Pulumi: the files and commands of docs/first-program.md and docs/pulumi/README.md, on the real engine and with the packed package. */
import { mkdtemp, rm } from 'node:fs/promises';
import { homedir, tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { buildSdks } from '../../../scripts/pulumi/sdks.ts';
import { describeDifference, play } from '../../docs/session/play.ts';
import { pack } from '../packed.ts';
import { describeOnEngine, path } from '../pulumi/harness.ts';
import { pluginFolder } from '../pulumi/native/project.ts';

const pages = ['docs/first-program.md#pulumi', 'docs/pulumi/README.md#python', 'docs/pulumi/README.md#yaml'];

describeOnEngine('the programs with Pulumi', () => {
  it('does what it says', { timeout: 900_000 }, async () => {
    const packed = await mkdtemp(join(tmpdir(), 'webdata-packed-'));
    try {
      const env = {
        PATH: [pluginFolder, path].join(':'),
        PULUMI_HOME: '{folder}/.pulumi-home',
        PULUMI_SKIP_UPDATE_CHECK: 'true',
        // `pulumi package add` needs a language host that is not among the public Go modules, so the SDK is generated beforehand.
        PYTHONPATH: buildSdks(path ?? '').python,
        // The session has a home of its own, and npm installs packages in it.
        npm_config_cache: join(homedir(), '.npm'),
        NODE_EXTRA_CA_CERTS: process.env.NODE_EXTRA_CA_CERTS ?? '',
      };
      const replaced = { './pulumi-webdata-0.1.0.tgz': await pack(packed) };
      const differences = await play(pages, { env, replaced });
      expect(differences.map(describeDifference).join('\n\n')).toBe('');
    } finally {
      await rm(packed, { recursive: true });
    }
  });
});
