/** `webdata proxy-url ZONE`: the URL of the native proxy for a zone, for tools that take one. */
import type { Command } from 'commander';
import { ProblemError } from '../../../diagnostics/problem.ts';
import { proxyUrl } from '../../../service/areas/proxy/nativeProxy.ts';
import { configIfAny } from '../../execution/declaration.ts';
import { examples } from '../../options/examples.ts';
import { positiveNumber, withDeclarationFiles } from '../../options/options.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

interface Flags {
  file?: string[];
  account: string;
  host: string;
  port?: number;
}

export function addProxyUrl(command: Command, { io, end }: Shell): void {
  withDeclarationFiles(command.argument('<zone>', 'the zone; its password is taken from WEBDATA_ZONE_PASSWORD'))
    .requiredOption('--account <id>', 'the account ID, which begins with hl_')
    .requiredOption('--host <host>', 'of the native proxy')
    .option('--port <port>', 'of the native proxy (default: 44445)', positiveNumber)
    .addHelpText(
      'after',
      examples({
        'webdata proxy-url checkout --account hl_example --host proxy.example.com':
          'the URL, on stdout; it holds the password',
        'webdata proxy-url checkout --account hl_example --host 127.0.0.1 --port 24445': 'of an emulator',
      }),
    )
    .action(async (zone: string, flags: Flags) => end(await writeUrl(zone, flags, io)));
}

async function writeUrl(zone: string, { account, host, port, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const password = io.env.WEBDATA_ZONE_PASSWORD;
  if (!password) throw new ProblemError([noPassword]);
  const { profile } = (await configIfAny(flags, io)).service;
  const url = proxyUrl({ accountId: account, zone, password, host, port, profile });
  io.stderr.write('This URL holds the password of the zone: keep it out of logs and files that others can read.\n');
  io.stdout.write(`${url}\n`);
  return exitCodes.done;
}

const noPassword = {
  code: 'no-zone-password',
  found: 'the password of the zone is not known',
  allowed: 'WEBDATA_ZONE_PASSWORD in the environment, and nowhere else',
  fix: "set WEBDATA_ZONE_PASSWORD to the password in the zone's access details",
};
