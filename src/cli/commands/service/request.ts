/** `webdata request URL`. */
import type { Command } from 'commander';
import { jsonText } from '../../../base/values/printable.ts';
import type { ProxiedRequest, RequestFormat } from '../../../client/areas/proxy/request.ts';
import { ServiceError } from '../../../client/errors.ts';
import { withExitLocation } from '../../options/options.ts';
import { addExamples, formatOption } from '../../options/values.ts';
import { type DataFlags, fetchAndWrite, withZoneData } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

type Fields = Omit<ProxiedRequest, 'url' | 'format' | 'method'>;

interface Flags extends DataFlags, Fields {
  format: RequestFormat;
}

export function addRequest(command: Command, { io, end }: Shell): void {
  withExitOptions(withZoneData(command.argument('<url>', 'http or https URL of the page')))
    .addOption(formatOption(['raw', 'json'], 'output format: the unchanged page, or a JSON answer'))
    .option('--tag <tag>', 'tag that the answer must repeat')
    .option('--data-format <format>', 'data format of the service, such as markdown')
    .action(async (url: string, flags: Flags) => end(await request(url, flags, io)));
  addExamples(command, {
    'webdata request https://example.com/ --zone checkout': 'page on stdout; every request is billed',
    'webdata request https://example.com/ --zone checkout --country us --output page.html':
      'as seen from one country, in a file',
    'webdata request https://example.com/ --zone checkout --session cart-1 --format json':
      'through the peer of this session, as JSON',
  });
}

/** Adds the exit options that only some types of zones have. */
function withExitOptions(command: Command): Command {
  return withExitLocation(command)
    .option('--zip <code>', 'postal code of the exit; needs --country; residential zones')
    .option('--asn <asn>', 'ASN of the exit; needs --country; residential zones')
    .option('--carrier <code>', 'carrier of the exit; mobile zones')
    .option('--os <name>', 'operating system of the exit; mobile zones')
    .option('--ip <ip>', 'IP of the proxy; datacenter and ISP zones')
    .option('--gip <group>', 'group of proxies; residential and mobile zones');
}

async function request(url: string, { format, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const fields = fieldsOf(flags);
  let refusal: ServiceError | undefined;
  await fetchAndWrite(flags, io, async function* ({ request: send, requestStream }) {
    try {
      if (format === 'json') yield jsonText(await send({ ...fields, url, format }));
      else yield* (await requestStream({ ...fields, url, format })).bytes;
    } catch (error) {
      if (!isAboutPage(error)) throw error;
      refusal = error;
      yield error.body ?? '';
    }
  });
  if (refusal !== undefined) throw refusal;
  return exitCodes.done;
}

/** Returns true if the answer may be the page itself. It is billed, so the command writes it and then fails. */
function isAboutPage(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.body === undefined) return false;
  return error.status === 404 || error.status === 410 || error.status === 200;
}

function fieldsOf(flags: Omit<Flags, 'format'>): Fields {
  const { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat } = flags;
  return { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat };
}
