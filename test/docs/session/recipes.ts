/** What the recipes of docs/recipes are played on. */
import { readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { pathWithEngine } from '../../../scripts/pulumi/engine.ts';
import { blocksOf } from './page.ts';
import type { Stage } from './play.ts';

export const folder = 'docs/recipes';

/** The section with the emulated account on which every recipe runs. */
export const setUp = 'docs/getting-started.md#2-follow-along';

export const recipes: readonly string[] = readdirSync(folder)
  .filter((name) => name.endsWith('.md'))
  .map((name) => join(folder, name));

/** Forwards the port of `-L` as `ssh -L` does, because test machines have no SSH server. */
const ssh = `[[ "$*" =~ -L\\ ([0-9]+):([0-9.]+):([0-9]+) ]] && exec ${process.execPath} --eval '
const { createConnection, createServer } = require("node:net");
const [, from, host, to] = process.argv;
createServer((near) => near.pipe(createConnection(to, host)).pipe(near)).listen(from, "127.0.0.1");
' "\${BASH_REMATCH[@]:1}"`;

type Opened = Stage & AsyncDisposable;

const close = async () => {};

/** The programs and servers that a recipe needs besides `webdata`. */
const stages: Record<string, () => Promise<Stage & Partial<AsyncDisposable>>> = {
  'managers-in-ci': async () => ({ programs: { ssh } }),

  async 'drift-with-proposals'() {
    const { fakeGitHub } = await import('../../ci/fakeGitHub.ts');
    const { token } = await import('../../ci/posts.ts');
    const { env, repository } = await fakeGitHub();
    const page = readFileSync(join(folder, 'drift-with-proposals.md'), 'utf8');
    const files = blocksOf(page).flatMap((block) => (block.kind === 'file' ? [[block.name, block.text]] : []));
    const commit = repository.commit('main', 'Declare the zones', Object.fromEntries(files));
    return { env: { ...env, GITHUB_SHA: commit, GITHUB_TOKEN: token, GITHUB_WORKSPACE: '{folder}' } };
  },

  'pulumi-and-yaml': async () => ({
    env: {
      PATH: [resolve('dist/plugin'), pathWithEngine()].join(':'),
      PULUMI_BACKEND_URL: 'file://{folder}',
      PULUMI_HOME: '{folder}/.pulumi-home',
      PULUMI_CONFIG_PASSPHRASE: 'x',
      PULUMI_SKIP_UPDATE_CHECK: 'true',
    },
  }),
};

/** Runs the program that is installed in the folder of the project, which is the one that was built here. */
const npx = 'exec "$@"';

export async function stageOf(page: string): Promise<Opened> {
  const { programs, ...stage } = (await stages[basename(page, '.md')]?.()) ?? {};
  return { [Symbol.asyncDispose]: close, ...stage, programs: { npx, ...programs } };
}
