/** `webdata request`: one page, fetched through a zone. */
import { type Command, Option } from 'commander';
import type { ProxiedRequest, RequestFormat } from '../service/request.ts';
import { type DataFlags, deliver, jsonText, withData } from './dataOutput.ts';
import { examples } from './examples.ts';
import { type ExitCode, exitCodes, type Io, type Shell } from './io.ts';

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
  return command
    .option('--country <code>', 'country of the exit')
    .option('--city <city>', 'city of the exit; needs --country')
    .option('--zip <code>', 'postal code of the exit; needs --country; residential zones')
    .option('--asn <asn>', 'ASN of the exit; needs --country; residential zones')
    .option('--carrier <code>', 'carrier of the exit; mobile zones')
    .option('--os <name>', 'operating system of the exit; mobile zones')
    .addOption(new Option('--dns <where>', 'where names are resolved').choices(['local', 'remote']))
    .option('--session <label>', 'requests with the same label leave through the same peer')
    .option('--ip <ip>', 'through the proxy with this IP; datacenter and ISP zones')
    .option('--gip <group>', 'through this group of proxies; residential and mobile zones')
    .option('--direct', 'through the super proxy, and no peer');
}

async function request(url: string, { format, ...flags }: Flags, io: Io): Promise<ExitCode> {
  const fields = fieldsOf(flags);
  await deliver(flags, io, async function* ({ request: send }) {
    if (format === 'raw') yield send({ ...fields, url, format });
    else yield jsonText(await send({ ...fields, url, format }));
  });
  return exitCodes.done;
}

function fieldsOf(flags: Omit<Flags, 'format'>): Fields {
  const { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat } = flags;
  return { zone, country, city, zip, asn, carrier, os, dns, session, ip, gip, tag, direct, dataFormat };
}
