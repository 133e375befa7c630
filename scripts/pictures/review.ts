/** The comment on a pull request that mixes a change, a manual change and a half-finished run, as a code host shows it. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { hostname, tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { run } from '../../src/cli/main.ts';
import { type Emulator, readAccount, startEmulator } from '../../src/emulator/index.ts';
import { Output } from './planned.ts';

const account = `id: hl_review
zones:
  checkout: { ips: { us: [198.18.0.1-198.18.0.10] } }
  pricing: { ips: { us: [198.18.1.1-198.18.1.20], de: [198.18.1.101-198.18.1.108] } }
  archive: { ips: { us: [198.18.2.1-198.18.2.8] } }
  parked: { ips: { us: [198.18.3.1-198.18.3.8], de: [198.18.3.101-198.18.3.106] } }
`;

function declaration(pricing: string, archive: string): string {
  return `zoneIpAllocations:
  static:
    zones:
      checkout: { ips: [198.18.0.1, 198.18.0.2], count: { us: 10 } }
      pricing: { count: { ${pricing} } }
      archive: { count: { ${archive} } }
    spare: parked
`;
}

/** Returns the Markdown of the comment. Addresses, the user, the run and the time are replaced, so that the result is always the same. */
export async function reviewComment(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'webdata-pictures-'));
  await writeFile(join(folder, 'account.yaml'), account);
  const emulator = await startEmulator(await readAccount(join(folder, 'account.yaml')), { port: 0, managerPort: 0 });
  const webdata = commandIn(folder, emulator);
  const declare = (text: string) => writeFile(join(folder, 'webdata.yaml'), text);
  try {
    await declare(declaration('us: 20, de: 8', 'us: 8'));
    await webdata(0, 'apply', '--yes');
    await declare(declaration('us: 22, de: 8', 'us: 10'));
    emulator.addFault({ route: 'zone/ips/migrate', occurrence: 2, fault: { kind: 'status', status: 400 } });
    await webdata(1, 'apply', '--yes', '--parallelism', '1');
    emulator.move(['198.18.0.1'], 'parked');
    await declare(declaration('us: 22, de: 12', 'us: 10'));
    const comment = await webdata(0, 'ci', 'plan', '--print');
    return comment
      .replaceAll(emulator.apiUrl, 'https://api.example.com')
      .replaceAll(`${userInfo().username}@${hostname()}`, 'deploy@laptop')
      .replaceAll(/`[\da-f]{8}`|(?<=run )[\da-f]{8}/g, (run) => run.replaceAll(/[\da-f]{8}/g, 'f4ef5f69'))
      .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d+Z/g, '2026-06-02T08:05:20Z');
  } finally {
    await emulator.close();
    await rm(folder, { recursive: true });
  }
}

function commandIn(folder: string, { apiUrl, keys }: Emulator) {
  const env = { WEBDATA_API_URL: apiUrl, WEBDATA_API_KEY: keys.ops, WEBDATA_STATE_FOLDER: join(folder, 'machine') };
  return async (code: number, ...args: string[]): Promise<string> => {
    const [stdout, stderr] = [new Output(), new Output()];
    const ended = await run(args, { stdout, stderr, env, cwd: folder, signal: new AbortController().signal });
    if (ended !== code) throw new Error(`webdata ${args.join(' ')} exited with ${ended}:\n${stderr.text}`);
    return stdout.text;
  };
}

/** Returns the page of a comment, in the colors of GitHub. */
export function reviewPage(comment: string): string {
  return `<!doctype html><meta charset="utf-8"><style>${css}</style>
<article><header><b>github-actions</b> commented</header><div>${htmlOf(comment)}</div></article>`;
}

/** Returns the HTML of the Markdown that comments consist of: headings, tables, folds, code and paragraphs. */
function htmlOf(markdown: string): string {
  const blocks = markdown.replaceAll(/<!--.*?-->\n?/g, '').split(/\n{2,}/);
  return blocks.map((block) => blockOf(block.trim())).join('\n');
}

function blockOf(block: string): string {
  const [, level = '', heading = ''] = /^(#+) (.*)$/.exec(block) ?? [];
  if (level !== '') return `<h${level.length}>${inline(heading)}</h${level.length}>`;
  if (block.startsWith('|')) return tableOf(block.split('\n'));
  if (block.startsWith('```')) return `<pre>${block.replaceAll(/^```.*\n?/gm, '')}</pre>`;
  return /^<\/?details/.test(block) ? block : `<p>${inline(block)}</p>`;
}

function tableOf([head = '', rule = '', ...rows]: readonly string[]): string {
  const cellsOf = (line: string) => line.slice(1, -1).split('|');
  const isNumber = cellsOf(rule).map((each) => each.trim().endsWith(':'));
  const row = (line: string, tag: string) => {
    const cells = cellsOf(line).map((cell, index) => {
      return `<${tag}${isNumber[index] ? ' class="number"' : ''}>${inline(cell.trim())}</${tag}>`;
    });
    return `<tr>${cells.join('')}</tr>`;
  };
  return `<table>${row(head, 'th')}${rows.map((each) => row(each, 'td')).join('')}</table>`;
}

function inline(text: string): string {
  return text.replaceAll(/`([^`]+)`/g, '<code>$1</code>');
}

const css = `:root{color-scheme:light dark;--text:light-dark(#1f2328,#f0f6fc);--line:light-dark(#d1d9e0,#3d444d);--quiet:light-dark(#f6f8fa,#151b23)}
body{margin:0;padding:14px;font:14px/1.5 -apple-system,'Segoe UI','Noto Sans',Helvetica,Arial,sans-serif;color:var(--text);background:light-dark(#fff,#0d1117)}
article{border:1px solid var(--line);border-radius:6px}header{padding:8px 16px;background:var(--quiet);border-bottom:1px solid var(--line)}
article>div{padding:4px 16px 12px}h3{font-size:18px;margin:14px 0 10px}h4{margin:16px 0 8px}p{margin:10px 0}
table{border-collapse:collapse}td,th{border:1px solid var(--line);padding:5px 13px;text-align:left}.number{text-align:right}tr:nth-child(odd) td{background:var(--quiet)}
code{font:85% ui-monospace,SFMono-Regular,Menlo,'DejaVu Sans Mono',monospace;padding:.2em .4em;border-radius:6px;background:light-dark(#818b981f,#656c7633)}
details{margin:10px 0}sub{color:light-dark(#59636e,#9198a1)}`;
