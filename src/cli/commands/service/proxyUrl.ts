/** `webdata proxy-url ZONE`. */
import type { Command } from 'commander';
import { ProblemError } from '../../../base/diagnostics/problem.ts';
import { proxyUrl } from '../../../client/areas/proxy/nativeProxy.ts';
import { configIfAny } from '../../../engine/doors/declaration.ts';
import { withDeclarationFiles } from '../../options/options.ts';
import { addExamples, positiveNumber } from '../../options/values.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

interface Flags {
  file?: string[];
  account: string;
  host: string;
  port?: number;
}

export function addProxyUrl(command: Command, { io, end }: Shell): void {
  withDeclarationFiles(command.argument('<zone>', 'zone; its password is read from WEBDATA_ZONE_PASSWORD'))
    .requiredOption('--account <id>', 'account ID, hl_…')
    .requiredOption('--host <host>', 'host of the native proxy')
    .option('--port <port>', 'port of the native proxy (default: 44445)', positiveNumber)
    .action(async (zone: string, flags: Flags) => end(await writeUrl(zone, flags, io)));
  addExamples(command, {
    'webdata proxy-url checkout --account hl_example --host proxy.example.com': 'URL with the password, on stdout',
    'webdata proxy-url checkout --account hl_example --host 127.0.0.1 --port 24445': 'for an emulator',
  });
}

async function writeUrl(zone: string, { account, host, port, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const password = io.env.WEBDATA_ZONE_PASSWORD;
  if (!password) throw new ProblemError([noPassword]);
  const { profile } = (await configIfAny(flags, io)).service;
  const url = proxyUrl({ accountId: account, zone, password, host, port, profile });
  io.stderr.write('This URL contains the password of the zone: keep it out of logs and shared files.\n');
  io.stdout.write(`${url}\n`);
  return exitCodes.done;
}

const noPassword = {
  code: 'no-zone-password',
  found: 'WEBDATA_ZONE_PASSWORD is not set',
  allowed: 'the password of the zone, only in this variable',
  fix: "set it to the password in the zone's access details",
};
