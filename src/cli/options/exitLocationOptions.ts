/** Where a proxied request leaves from, as far as every type of zone has it. */
import { type Command, Option } from 'commander';
import type { ProxiedRequest } from '../../service/areas/proxy/request.ts';

export type ExitFlags = Pick<ProxiedRequest, 'country' | 'city' | 'dns' | 'session' | 'direct'>;

export function withExit(command: Command): Command {
  return command
    .option('--country <code>', 'country of the exit')
    .option('--city <city>', 'city of the exit; needs --country')
    .addOption(new Option('--dns <where>', 'where names are resolved').choices(['local', 'remote']))
    .option('--session <label>', 'requests with the same label leave through the same peer')
    .option('--direct', 'through the super proxy, and no peer');
}
