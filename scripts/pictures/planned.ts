/** A plan for the quickstart account, as a terminal and as the HTML report show it. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/main.ts';
import { readAccount, startEmulator } from '../../src/emulator/index.ts';

interface PlanPictures {
  /** With ANSI colors. */
  terminal: string;
  html: string;
}

/** Addresses, the user and the time are replaced, so that the result is always the same. */
export async function planned(declaration: string, columns?: number): Promise<PlanPictures> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-pictures-'));
  const emulator = await startEmulator(await readAccount('examples/quickstart/account.yaml'), {
    port: 0,
    managerPort: 0,
  });
  const shown = (text: string) =>
    text
      .replaceAll(emulator.apiUrl, 'https://api.example.com')
      .replaceAll(emulator.managerUrl, 'http://127.0.0.1:22999')
      .replaceAll(`${userInfo().username}@${hostname()}`, 'deploy@laptop')
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, '2026-06-02T08:05:20Z');
  try {
    await writeFile(join(folder, 'webdata.yaml'), declaration);
    const output = new Output(columns);
    const env = {
      WEBDATA_API_URL: emulator.apiUrl,
      WEBDATA_API_KEY: emulator.keys.ops,
      WEBDATA_MANAGER_URL: emulator.managerUrl,
      FORCE_COLOR: '1',
    };
    const io = { stdout: output, stderr: new Output(), env, cwd: folder, signal: new AbortController().signal };
    const code = await run(['plan', '--report', 'html=plan.html'], io);
    if (code !== 0) throw new Error(`webdata plan exited with ${code}:\n${io.stderr.text}`);
    return {
      terminal: `$ webdata plan\n${shown(output.text)}`,
      html: shown(await readFile(join(folder, 'plan.html'), 'utf8')),
    };
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true });
  }
}

export class Output {
  text = '';
  columns: number;
  constructor(columns = 92) {
    this.columns = columns;
  }
  write(more: string | Uint8Array): void {
    this.text += Buffer.from(more);
  }
}
