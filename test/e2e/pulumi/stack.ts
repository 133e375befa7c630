/** A new stack and its configuration, written to files: the engine would need two commands, half a second of processor time, for the same. */
import { createCipheriv, createHash, pbkdf2Sync, randomBytes } from 'node:crypto';
import { mkdir, realpath, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

/** The environment in which the engine finds the stack of a folder. */
export const stackEnv = (folder: string) => ({
  PULUMI_HOME: join(folder, 'home'),
  PULUMI_BACKEND_URL: `file://${join(folder, 'backend')}`,
  PULUMI_CONFIG_PASSPHRASE: passphrase,
});

/** Values of the configuration, without their namespace. */
interface Configuration {
  plain: Readonly<Record<string, unknown>>;
  secret: Readonly<Record<string, string>>;
}

const passphrase = 'test';

/** Writes the stack `dev` of the project `test` and selects it. The folder contains `Pulumi.yaml`. */
export async function writeStack(folder: string, { plain, secret }: Configuration): Promise<void> {
  const state = join(folder, 'backend/.pulumi');
  await mkdir(join(state, 'stacks/test'), { recursive: true });
  await writeFile(join(state, 'meta.yaml'), 'version: 1\n');
  const checkpoint = { version: 3, checkpoint: { stack: 'organization/test/dev' } };
  await writeFile(join(state, 'stacks/test/dev.json'), JSON.stringify(checkpoint));
  const projectFile = createHash('sha1')
    .update(join(await realpath(folder), 'Pulumi.yaml'))
    .digest('hex');
  const selections = join(folder, 'home/workspaces');
  await mkdir(selections, { recursive: true });
  await writeFile(join(selections, `test-${projectFile}-workspace.json`), '{ "stack": "organization/test/dev" }');
  const encrypted = Object.entries(secret).map(([name, value]) => [name, { secure: encrypt(value) }] as const);
  const values = [...Object.entries(plain), ...encrypted].map(([name, value]) => [`webdata:${name}`, value]);
  const config = {
    encryptionsalt: `v1:${salt.toString('base64')}:${encrypt('pulumi')}`,
    config: Object.fromEntries(values),
  };
  await writeFile(join(folder, 'Pulumi.dev.yaml'), JSON.stringify(config));
}

const salt = randomBytes(8);
let key: Buffer | undefined;

/** Encrypts a text as the engine does with a passphrase. */
function encrypt(text: string): string {
  key ??= pbkdf2Sync(passphrase, salt, 1_000_000, 32, 'sha256');
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce);
  const sealed = Buffer.concat([cipher.update(text, 'utf8'), cipher.final(), cipher.getAuthTag()]);
  return `v1:${nonce.toString('base64')}:${sealed.toString('base64')}`;
}
