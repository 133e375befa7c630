/** `webdata request`: one page, fetched through a zone. */
import { type Command, Option } from 'commander';
import type { ProxiedRequest, RequestFormat } from '../../../service/areas/proxy/request.ts';
import { ServiceError } from '../../../service/errors.ts';
import { examples } from '../../options/examples.ts';
import { withExit } from '../../options/exitLocationOptions.ts';
import { type DataFlags, deliver, jsonText, withData } from '../../output/dataOutput.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from '../../output/io.ts';

type Fields = Omit<ProxiedRequest, 'url' | 'format' | 'method'>;

interface Flags extends DataFlags, Fields {
  format: RequestFormat;
}

export function addRequest(command: Command, { io, end }: Shell): void {
  withPlaces(withData(command.argument('<url>', 'the page, an http or https URL')))
    .addOption(
      new Option('--format <format>', 'the page as it is, or a JSON answer').choices(['raw', 'json']).default('raw'),
    )
    .option('--tag <tag>', 'comes back with the answer, and is compared')
    .option('--data-format <format>', 'as the service knows it, such as markdown')
    .addHelpText(
      'after',
      examples({
        'webdata request https://example.com/ --zone checkout': 'the page, on stdout; every request is billed',
        'webdata request https://example.com/ --zone checkout --country us --output page.html':
          'seen from one country, into a file',
        'webdata request https://example.com/ --zone checkout --session cart-1 --format json':
          'through the same peer as other requests of this session, as JSON',
      }),
    )
    .action(async (url: string, flags: Flags) => end(await request(url, flags, io)));
}

/** Where the request leaves from, and how. */
function withPlaces(command: Command): Command {
  return withExit(command)
    .option('--zip <code>', 'postal code of the exit; needs --country; residential zones')
    .option('--asn <asn>', 'ASN of the exit; needs --country; residential zones')
    .option('--carrier <code>', 'carrier of the exit; mobile zones')
    .option('--os <name>', 'operating system of the exit; mobile zones')
    .option('--ip <ip>', 'through the proxy with this IP; datacenter and ISP zones')
    .option('--gip <group>', 'through this group of proxies; residential and mobile zones');
}

async function request(url: string, { format, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const fields = fieldsOf(flags);
  let refusal: ServiceError | undefined;
  await deliver(flags, io, async function* ({ request: send, requestStream }) {
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

/** Returns true if the answer may be the page itself. It was paid for, so the command writes it and then fails. */
function isAboutPage(error: unknown): error is ServiceError {
  if (!(error instanceof ServiceError) || error.body === undefined) return false;
  return error.status === 404 || error.status === 410 || error.status === 200;
}

function fieldsOf(flags: Omit<Flags, 'format'>): Fields {
  const { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat } = flags;
  return { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat };
}
