/** Written by `node scripts/docs.ts`: all commands with their options, since loading them would take too long for a Tab. */
import type { CommandLine, OptionLine } from './commandLine.ts';

export const collectionKinds: Readonly<Record<string, string>> = {
  zoneIpAllocations: 'ZoneIpAllocation',
  managerSettings: 'ManagerSettings',
  webhookDeliveries: 'WebhookDelivery',
  collectorSchedules: 'CollectorSchedule',
};

const $version: OptionLine = { names: ['-V', '--version'], summary: 'output the version number' };
const $help: OptionLine = { names: ['-h', '--help'], summary: 'display help for command' };
const $apiUrl: OptionLine = {
  names: ['--api-url'],
  summary: 'the service; goes before service.url and WEBDATA_API_URL',
  value: { name: 'url' },
};
const $managerUrl: OptionLine = {
  names: ['--manager-url'],
  summary: 'the proxy manager; goes before manager.url and WEBDATA_MANAGER_URL',
  value: { name: 'url' },
};
const $timeout: OptionLine = {
  names: ['--timeout'],
  summary: 'how long to wait for an answer (default: 30)',
  value: { name: 'seconds' },
};
const $retries: OptionLine = {
  names: ['--retries'],
  summary: 'how often a read that failed is sent again (default: 3)',
  value: { name: 'count' },
};
const $logHttp: OptionLine = {
  names: ['--log-http'],
  summary: 'every request and its answer on stderr, without secrets',
};
const $live: OptionLine = { names: ['--live'], summary: 'declare the zones that were used lately, as they are' };
const $zone: OptionLine = {
  names: ['--zone'],
  summary: 'declare this zone as it is; again for more',
  value: { name: 'zone' },
  again: true,
};
const $force: OptionLine = { names: ['--force'], summary: 'write over a file that is there' };
const $file: OptionLine = {
  names: ['-f', '--file'],
  summary: 'the declaration (default: webdata.yaml); again for overlays, merged by key',
  value: { name: 'file' },
  again: true,
};
const $allowEnv: OptionLine = {
  names: ['--allow-env'],
  summary:
    'variable that URLs in the declaration may use besides WEBDATA_*; * at its end for any rest; again for more (default: WEBDATA_ALLOW_ENV)',
  value: { name: 'name' },
  again: true,
};
const $format: OptionLine = {
  names: ['--format'],
  summary: 'what stdout gets',
  value: { name: 'format', choices: ['text', 'json', 'markdown', 'html', 'junit', 'sarif', 'github'] },
};
const $full: OptionLine = { names: ['--full'], summary: 'every IP and every note, however many they are' };
const $noColor: OptionLine = { names: ['--no-color'], summary: 'no colours; so does NO_COLOR' };
const $report: OptionLine = {
  names: ['--report'],
  summary: 'writes a report to a file as well; again for more',
  value: { name: 'format=file' },
  again: true,
};
const $journal: OptionLine = {
  names: ['--journal'],
  summary: 'where runs are recorded (default: .webdata/journal.jsonl beside the file)',
  value: { name: 'file' },
};
const $select: OptionLine = {
  names: ['--select'],
  summary: 'only this resource; again for more',
  value: { name: 'kind/name' },
  again: true,
};
const $parallelism: OptionLine = {
  names: ['--parallelism'],
  summary: 'how many independent resources are handled at a time (default: 10)',
  value: { name: 'count' },
};
const $allowMoves: OptionLine = {
  names: ['--allow-moves'],
  summary: 'raises maxMoves for this run',
  value: { name: 'count' },
};
const $allowSelfLockout: OptionLine = {
  names: ['--allow-self-lockout'],
  summary: 'lets a change take your own address out of wwwWhitelistIps',
};
const $forcePorts: OptionLine = {
  names: ['--force-ports'],
  summary: 'deletes absentPorts again where the manager does not show its ports',
};
const $prune: OptionLine = {
  names: ['--prune'],
  summary: 'removes what is registered in the trigger service under this name, and is declared no more',
};
const $out: OptionLine = {
  names: ['--out'],
  summary: 'keep the plan, for `webdata apply <file>`',
  value: { name: 'file' },
};
const $detailedExitcode: OptionLine = { names: ['--detailed-exitcode'], summary: 'exit with 2 if there are changes' };
const $yes: OptionLine = { names: ['-y', '--yes'], summary: 'does not ask' };
const $lockTimeout: OptionLine = {
  names: ['--lock-timeout'],
  summary: 'how long to wait for another run to end',
  value: { name: 'seconds' },
};
const $strict: OptionLine = { names: ['--strict'], summary: 'unmanaged IPs are drift too' };
const $zone2: OptionLine = {
  names: ['--zone'],
  summary: 'a zone to declare; again for more (default: those that were used lately)',
  value: { name: 'zone' },
  again: true,
};
const $name: OptionLine = { names: ['--name'], summary: 'the name of the pulled resources', value: { name: 'name' } };
const $out2: OptionLine = { names: ['--out'], summary: 'where to write (default: stdout)', value: { name: 'file' } };
const $format2: OptionLine = {
  names: ['--format'],
  summary: 'what stdout gets',
  value: { name: 'format', choices: ['text', 'json'] },
};
const $requireComment: OptionLine = { names: ['--require-comment'], summary: 'fail if the comment cannot be written' };
const $front: OptionLine = {
  names: ['--front'],
  summary: 'program to run',
  value: { name: 'front', choices: ['webdata', 'pulumi'] },
};
const $key: OptionLine = {
  names: ['--key'],
  summary:
    'name that distinguishes several plans in one repository (default: files and --select; for Pulumi, folder, stack and targets)',
  value: { name: 'name' },
};
const $zone3: OptionLine = { names: ['--zone'], summary: 'the zone that serves the request', value: { name: 'zone' } };
const $output: OptionLine = {
  names: ['--output'],
  summary: 'where to write, all or nothing (default: stdout)',
  value: { name: 'file' },
};
const $country: OptionLine = { names: ['--country'], summary: 'country of the exit', value: { name: 'code' } };
const $city: OptionLine = { names: ['--city'], summary: 'city of the exit; needs --country', value: { name: 'city' } };
const $dns: OptionLine = {
  names: ['--dns'],
  summary: 'where names are resolved',
  value: { name: 'where', choices: ['local', 'remote'] },
};
const $session: OptionLine = {
  names: ['--session'],
  summary: 'requests with the same label leave through the same peer',
  value: { name: 'label' },
};
const $direct: OptionLine = { names: ['--direct'], summary: 'through the super proxy, and no peer' };
const $zip: OptionLine = {
  names: ['--zip'],
  summary: 'postal code of the exit; needs --country; residential zones',
  value: { name: 'code' },
};
const $asn: OptionLine = {
  names: ['--asn'],
  summary: 'ASN of the exit; needs --country; residential zones',
  value: { name: 'asn' },
};
const $carrier: OptionLine = {
  names: ['--carrier'],
  summary: 'carrier of the exit; mobile zones',
  value: { name: 'code' },
};
const $os: OptionLine = {
  names: ['--os'],
  summary: 'operating system of the exit; mobile zones',
  value: { name: 'name' },
};
const $ip: OptionLine = {
  names: ['--ip'],
  summary: 'through the proxy with this IP; datacenter and ISP zones',
  value: { name: 'ip' },
};
const $gip: OptionLine = {
  names: ['--gip'],
  summary: 'through this group of proxies; residential and mobile zones',
  value: { name: 'group' },
};
const $format3: OptionLine = {
  names: ['--format'],
  summary: 'the page as it is, or a JSON answer',
  value: { name: 'format', choices: ['raw', 'json'] },
};
const $tag: OptionLine = {
  names: ['--tag'],
  summary: 'comes back with the answer, and is compared',
  value: { name: 'tag' },
};
const $dataFormat: OptionLine = {
  names: ['--data-format'],
  summary: 'as the service knows it, such as markdown',
  value: { name: 'format' },
};
const $pages: OptionLine = {
  names: ['--pages'],
  summary: 'the most pages to fetch; each is billed',
  value: { name: 'count' },
};
const $start: OptionLine = {
  names: ['--start'],
  summary: 'how many results to skip: 10 is the second page',
  value: { name: 'offset' },
};
const $format4: OptionLine = {
  names: ['--format'],
  summary: 'the pages as a JSON list, or one of the organic results a line',
  value: { name: 'format', choices: ['json', 'ndjson'] },
};
const $format5: OptionLine = {
  names: ['--format'],
  summary: 'the pages as a JSON list, or one of the reviews a line',
  value: { name: 'format', choices: ['json', 'ndjson'] },
};
const $format6: OptionLine = {
  names: ['--format'],
  summary: 'all of it as JSON, or one entry a line',
  value: { name: 'format', choices: ['json', 'ndjson', 'csv'] },
};
const $noJournal: OptionLine = {
  names: ['--no-journal'],
  summary: 'keeps no record, so that it can be neither undone nor looked up',
};
const $from: OptionLine = { names: ['--from'], summary: 'where they are', value: { name: 'zone' } };
const $to: OptionLine = { names: ['--to'], summary: 'where they are to go', value: { name: 'zone' } };
const $account: OptionLine = {
  names: ['--account'],
  summary: 'the account ID, which begins with hl_',
  value: { name: 'id' },
};
const $host: OptionLine = { names: ['--host'], summary: 'of the native proxy', value: { name: 'host' } };
const $port: OptionLine = {
  names: ['--port'],
  summary: 'of the native proxy (default: 44445)',
  value: { name: 'port' },
};
const $poll: OptionLine = {
  names: ['--poll'],
  summary: 'how long to wait between two looks',
  value: { name: 'seconds' },
};
const $dataset: OptionLine = {
  names: ['--dataset'],
  summary: 'a dataset scraper, gd_…, instead of a collector',
  value: { name: 'id' },
};
const $inputs: OptionLine = {
  names: ['--inputs'],
  summary: 'JSON list, or one object a line; - is stdin',
  value: { name: 'file' },
};
const $input: OptionLine = {
  names: ['--input'],
  summary: 'a field of the one input; again for more',
  value: { name: 'key=value' },
};
const $noWait: OptionLine = { names: ['--no-wait'], summary: 'writes the id and ends' };
const $resume: OptionLine = {
  names: ['--resume'],
  summary: 'waits for this run (j_…) or snapshot (s_…), and triggers none',
  value: { name: 'id' },
};
const $queueNext: OptionLine = {
  names: ['--queue-next'],
  summary: 'sends queue_next=1: docs/collectors.md has the two things that are said of it',
};
const $noQueueNext: OptionLine = { names: ['--no-queue-next'], summary: 'sends queue_next=0' };
const $notify: OptionLine = {
  names: ['--notify'],
  summary: 'who is told when it is finished: a URL, or the word email',
  value: { name: 'where' },
};
const $deliver: OptionLine = {
  names: ['--deliver'],
  summary: 'where the result goes instead: a JSON or YAML file, as it holds credentials',
  value: { name: 'file' },
};
const $dev: OptionLine = { names: ['--dev'], summary: 'the development version of the collector' };
const $name2: OptionLine = { names: ['--name'], summary: 'a name of the run, for people', value: { name: 'text' } };
const $queue: OptionLine = {
  names: ['--queue'],
  summary: 'runs of the same queue start one after another',
  value: { name: 'name' },
};
const $cancelRunning: OptionLine = {
  names: ['--cancel-running'],
  summary: 'cancels a run of this collector that is under way',
};
const $noMedia: OptionLine = { names: ['--no-media'], summary: 'downloads no media' };
const $maxTime: OptionLine = {
  names: ['--max-time'],
  summary: 'the longest time that the run may take: 2h, 30m or 90s',
  value: { name: 'time' },
};
const $endpoint: OptionLine = {
  names: ['--endpoint'],
  summary: 'a webhook that the result is posted to',
  value: { name: 'url' },
};
const $uncompressed: OptionLine = {
  names: ['--uncompressed'],
  summary: 'posts it as it is; without it, compressed by gzip',
};
const $authorizationEnv: OptionLine = {
  names: ['--authorization-env'],
  summary: 'the variable that holds the Authorization header of that post',
  value: { name: 'name' },
};
const $wait: OptionLine = {
  names: ['--wait'],
  summary: 'waits until it is ready; without it, one that is not is an error',
};
const $folder: OptionLine = {
  names: ['--folder'],
  summary: 'keeps deliveries in this folder; made where there is none',
  value: { name: 'dir' },
};
const $bucket: OptionLine = {
  names: ['--bucket'],
  summary: 'keeps them in s3://BUCKET/PREFIX, of any S3-compatible server',
  value: { name: 'url' },
};
const $port2: OptionLine = { names: ['--port'], summary: 'to listen on; 0 for any free one', value: { name: 'port' } };
const $host2: OptionLine = {
  names: ['--host'],
  summary: 'to listen on; another than loopback lets other machines in',
  value: { name: 'address' },
};
const $authorizationEnv2: OptionLine = {
  names: ['--authorization-env'],
  summary: 'the environment variable with the Authorization header that deliveries must have',
  value: { name: 'name' },
};
const $onlyServiceAddresses: OptionLine = {
  names: ['--only-service-addresses'],
  summary: 'takes only what comes from the fourteen addresses of the service',
};
const $trustProxy: OptionLine = {
  names: ['--trust-proxy'],
  summary: 'believes the last entry of X-Forwarded-For, where all comes through your own proxy',
};
const $maxBytes: OptionLine = {
  names: ['--max-bytes'],
  summary: 'of one delivery, as sent and decompressed (default: 1GB)',
  value: { name: 'size' },
};
const $store: OptionLine = {
  names: ['--store'],
  summary: 'postgres://…, or a file (default: WEBDATA_TRIGGERS_STORE, else .webdata/triggers.db)',
  value: { name: 'address' },
};
const $secretFor: OptionLine = {
  names: ['--secret-for'],
  summary:
    'where a secret may be sent: NAME=https://host[:port], NAME=s3://bucket or NAME=sftp:*; NAME may end with *; again for more (default: WEBDATA_TRIGGERS_SECRET_FOR, with spaces between them)',
  value: { name: 'name=origin' },
};
const $secretEnv: OptionLine = {
  names: ['--secret-env'],
  summary: 'a variable that deliveries may refer to, * at its end for any; again for more (default: HOOK_*)',
  value: { name: 'name' },
  again: true,
};
const $endpointHost: OptionLine = {
  names: ['--endpoint-host'],
  summary:
    'the only host that endpoints may name, with its port unless that is the usual one; again for more (default: any)',
  value: { name: 'host' },
  again: true,
};
const $secretCommand: OptionLine = {
  names: ['--secret-command'],
  summary: 'what prints the secret whose name it is given last; again for each word',
  value: { name: 'word' },
  again: true,
};
const $maxRunning: OptionLine = {
  names: ['--max-running'],
  summary: 'how many runs may be under way at once; the rest waits in line',
  value: { name: 'count' },
};
const $maxRunningEach: OptionLine = {
  names: ['--max-running-each'],
  summary: 'how many of one collector or dataset',
  value: { name: 'count' },
};
const $readyFile: OptionLine = {
  names: ['--ready-file'],
  summary: 'written when it listens: its URL, as JSON',
  value: { name: 'file' },
};
const $allowHost: OptionLine = {
  names: ['--allow-host'],
  summary: 'on loopback: the name by which your own proxy is asked; again for more',
  value: { name: 'name' },
  again: true,
};
const $allowPrivateEndpoints: OptionLine = {
  names: ['--allow-private-endpoints'],
  summary: 'lets results and alerts go to private addresses',
};
const $openMetrics: OptionLine = { names: ['--open-metrics'], summary: 'shows /metrics without the token' };
const $owner: OptionLine = { names: ['--owner'], summary: 'only of this owner', value: { name: 'name' } };
const $schedule: OptionLine = { names: ['--schedule'], summary: 'only of this schedule', value: { name: 'name' } };
const $state: OptionLine = {
  names: ['--state'],
  summary:
    'only in this state; again for more: waiting, triggering, running, unknown, finished, failed, expired, given-up, cancelled, skipped, lost',
  value: { name: 'state' },
};
const $limit: OptionLine = { names: ['--limit'], summary: 'how many at most', value: { name: 'count' } };
const $id: OptionLine = { names: ['--id'], summary: 'it was accepted, as j_… or s_…', value: { name: 'id' } };
const $lost: OptionLine = { names: ['--lost'], summary: 'it was not accepted, and is not to be sent again' };
const $resend: OptionLine = {
  names: ['--resend'],
  summary: 'it was not accepted, and is sent again; where it was accepted, it is billed twice',
};
const $owner2: OptionLine = {
  names: ['--owner'],
  summary: "who registered it (default: the declaration's name)",
  value: { name: 'name' },
};
const $tick: OptionLine = {
  names: ['--tick'],
  summary: 'which one: its time, or now for the latest that was due',
  value: { name: 'time' },
};
const $to2: OptionLine = {
  names: ['--to'],
  summary: 'which one',
  value: { name: 'scheduler', choices: ['kubernetes', 'crontab', 'systemd', 'github-actions'] },
};
const $out3: OptionLine = { names: ['--out'], summary: 'where the files go', value: { name: 'folder' } };
const $force2: OptionLine = { names: ['--force'], summary: 'writes over files that are there' };
const $image: OptionLine = {
  names: ['--image'],
  summary: 'of Kubernetes: the image that has `webdata`',
  value: { name: 'name' },
};
const $environmentFile: OptionLine = {
  names: ['--environment-file'],
  summary: 'of crontab and systemd: what the ticks take from the environment',
  value: { name: 'file' },
};
const $account2: OptionLine = {
  names: ['--account'],
  summary: 'zones, keys and settings to start with',
  value: { name: 'file' },
};
const $port3: OptionLine = { names: ['--port'], summary: 'of the API; 0 for any free one', value: { name: 'port' } };
const $managerPort: OptionLine = {
  names: ['--manager-port'],
  summary: 'of the proxy manager; 0 for any free one',
  value: { name: 'port' },
};
const $proxyPort: OptionLine = {
  names: ['--proxy-port'],
  summary: 'of the native proxy; 0 for any free one (default: no native proxy)',
  value: { name: 'port' },
};
const $readyFile2: OptionLine = {
  names: ['--ready-file'],
  summary: 'written when all listens: URLs and keys, as JSON',
  value: { name: 'file' },
};
const $state2: OptionLine = {
  names: ['--state'],
  summary: 'keep the state here across restarts',
  value: { name: 'file' },
};
const $deliverTo: OptionLine = {
  names: ['--deliver-to'],
  summary: 'write what is delivered to no webhook here (default: deliverTo of the account)',
  value: { name: 'folder' },
};

export const commandLine: CommandLine = {
  name: 'webdata',
  summary: 'A web-data and proxy account as code: which IPs each zone holds, how the proxy manager is set.',
  arguments: [],
  options: [$version, $help],
  commands: [
    {
      name: 'init',
      summary: 'write a declaration to begin with, from nothing or from what is live',
      arguments: [{ name: 'file' }],
      options: [$apiUrl, $managerUrl, $timeout, $retries, $logHttp, $live, $zone, $force, $help],
      commands: [],
    },
    {
      name: 'validate',
      summary: 'check the declaration, offline',
      arguments: [],
      options: [$file, $allowEnv, $help],
      commands: [],
    },
    {
      name: 'plan',
      summary: 'show what an apply would do; only reads',
      arguments: [],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $format,
        $full,
        $noColor,
        $report,
        $journal,
        $select,
        $parallelism,
        $allowMoves,
        $allowSelfLockout,
        $forcePorts,
        $prune,
        $out,
        $detailedExitcode,
        $help,
      ],
      commands: [],
    },
    {
      name: 'apply',
      summary: 'make the live account as declared, after showing the plan and asking',
      arguments: [{ name: 'plan' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $format,
        $full,
        $noColor,
        $report,
        $journal,
        $select,
        $parallelism,
        $allowMoves,
        $allowSelfLockout,
        $forcePorts,
        $yes,
        $lockTimeout,
        $prune,
        $help,
      ],
      commands: [],
    },
    {
      name: 'drift',
      summary: 'compare the live state with the declaration; only reads, exit 2 on drift',
      arguments: [],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $format,
        $full,
        $noColor,
        $report,
        $journal,
        $select,
        $parallelism,
        $allowMoves,
        $allowSelfLockout,
        $forcePorts,
        $strict,
        $help,
      ],
      commands: [],
    },
    {
      name: 'pull',
      summary: 'write the live state as a declaration',
      arguments: [],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $zone2,
        $name,
        $out2,
        $force,
        $help,
      ],
      commands: [],
    },
    {
      name: 'destroy',
      summary: 'do what `onDelete` says, for the selected resources',
      arguments: [],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $format,
        $full,
        $noColor,
        $report,
        $journal,
        $select,
        $parallelism,
        $allowMoves,
        $allowSelfLockout,
        $forcePorts,
        $yes,
        $lockTimeout,
        $help,
      ],
      commands: [],
    },
    {
      name: 'history',
      summary: 'what earlier runs did, from the journal',
      arguments: [],
      options: [$file, $format2, $full, $noColor, $journal, $help],
      commands: [],
    },
    {
      name: 'undo',
      summary: 'take back what the last run did, unless it was changed since',
      arguments: [{ name: 'run' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $format,
        $full,
        $noColor,
        $report,
        $journal,
        $yes,
        $lockTimeout,
        $allowMoves,
        $allowSelfLockout,
        $help,
      ],
      commands: [],
    },
    {
      name: 'ci',
      summary: 'plan, apply or drift in CI, told in a pull request or an issue',
      arguments: [],
      options: [$help],
      commands: [
        {
          name: 'plan',
          summary: 'Plan, and keep one comment on the pull or merge request up to date',
          arguments: [{ name: 'args' }],
          options: [$requireComment, $front, $key, $help],
          commands: [],
        },
        {
          name: 'apply',
          summary: 'Apply without a prompt',
          arguments: [{ name: 'args' }],
          options: [$front, $key, $help],
          commands: [],
        },
        {
          name: 'drift',
          summary: 'Check for drift, and open, update or close the drift issue; exits 2 on drift',
          arguments: [{ name: 'args' }],
          options: [$front, $key, $help],
          commands: [],
        },
        {
          name: 'help',
          summary: 'display help for command',
          arguments: [{ name: 'command', choices: ['plan', 'apply', 'drift'] }],
          options: [],
          commands: [],
        },
      ],
    },
    {
      name: 'request',
      summary: 'fetch a page through a zone',
      arguments: [{ name: 'url' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $zone3,
        $output,
        $country,
        $city,
        $dns,
        $session,
        $direct,
        $zip,
        $asn,
        $carrier,
        $os,
        $ip,
        $gip,
        $format3,
        $tag,
        $dataFormat,
        $help,
      ],
      commands: [],
    },
    {
      name: 'search',
      summary: 'fetch search results through a search zone',
      arguments: [{ name: 'query' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $zone3,
        $output,
        $country,
        $city,
        $dns,
        $session,
        $direct,
        $pages,
        $start,
        $format4,
        $help,
      ],
      commands: [],
    },
    {
      name: 'reviews',
      summary: 'fetch the reviews of a place through a search zone',
      arguments: [{ name: 'fid' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $zone3,
        $output,
        $country,
        $city,
        $dns,
        $session,
        $direct,
        $pages,
        $start,
        $format5,
        $help,
      ],
      commands: [],
    },
    {
      name: 'zones',
      summary: 'what zones hold, who lately used them, and a move by hand',
      arguments: [],
      options: [$help],
      commands: [
        {
          name: 'ips',
          summary: 'the static IPs of a zone',
          arguments: [{ name: 'zone' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $format6, $help],
          commands: [],
        },
        {
          name: 'countries',
          summary: 'the number of static IPs of a zone, by country',
          arguments: [{ name: 'zone' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $format6, $help],
          commands: [],
        },
        {
          name: 'recent',
          summary: 'the IPs that lately tried to use zones',
          arguments: [{ name: 'zones' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $format6, $help],
          commands: [],
        },
        {
          name: 'migrate',
          summary: 'move IPs to another zone; may incur charges',
          arguments: [{ name: 'ips' }],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $journal,
            $noJournal,
            $yes,
            $lockTimeout,
            $from,
            $to,
            $help,
          ],
          commands: [],
        },
        {
          name: 'help',
          summary: 'display help for command',
          arguments: [{ name: 'command', choices: ['ips', 'countries', 'recent', 'migrate'] }],
          options: [],
          commands: [],
        },
      ],
    },
    {
      name: 'asns',
      summary: 'the autonomous systems that a zone can leave from',
      arguments: [{ name: 'zone' }],
      options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $format6, $help],
      commands: [],
    },
    {
      name: 'manager',
      summary: 'the settings, the state and the ports of the proxy manager',
      arguments: [],
      options: [$help],
      commands: [
        {
          name: 'settings',
          summary: 'the settings, without the password',
          arguments: [],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $help],
          commands: [],
        },
        {
          name: 'stats',
          summary: 'the recent state, as the manager tells it',
          arguments: [],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $help],
          commands: [],
        },
        {
          name: 'delete-ports',
          summary: 'delete proxy ports',
          arguments: [{ name: 'ports' }],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $journal,
            $noJournal,
            $yes,
            $help,
          ],
          commands: [],
        },
        {
          name: 'help',
          summary: 'display help for command',
          arguments: [{ name: 'command', choices: ['settings', 'stats', 'delete-ports'] }],
          options: [],
          commands: [],
        },
      ],
    },
    {
      name: 'proxy-url',
      summary: 'the URL of the native proxy for a zone, with its password',
      arguments: [{ name: 'zone' }],
      options: [$file, $allowEnv, $account, $host, $port, $help],
      commands: [],
    },
    {
      name: 'collect',
      summary: 'run a collector and fetch its rows',
      arguments: [{ name: 'collector' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $output,
        $poll,
        $format6,
        $dataset,
        $inputs,
        $input,
        $noWait,
        $resume,
        $queueNext,
        $noQueueNext,
        $notify,
        $deliver,
        $dev,
        $name2,
        $queue,
        $cancelRunning,
        $noMedia,
        $maxTime,
        $endpoint,
        $uncompressed,
        $authorizationEnv,
        $help,
      ],
      commands: [],
    },
    {
      name: 'snapshot',
      summary: 'fetch a snapshot of a dataset',
      arguments: [{ name: 'id' }],
      options: [
        $file,
        $allowEnv,
        $apiUrl,
        $managerUrl,
        $timeout,
        $retries,
        $logHttp,
        $output,
        $format6,
        $poll,
        $wait,
        $help,
      ],
      commands: [],
    },
    {
      name: 'receive',
      summary: 'keep what the service delivers, in a folder or a bucket',
      arguments: [],
      options: [
        $folder,
        $bucket,
        $port2,
        $host2,
        $authorizationEnv2,
        $onlyServiceAddresses,
        $trustProxy,
        $maxBytes,
        $help,
      ],
      commands: [],
    },
    {
      name: 'triggers',
      summary: 'the trigger service, which fires schedules of collectors, and its runs',
      arguments: [],
      options: [$help],
      commands: [
        {
          name: 'serve',
          summary: 'fires schedules, and serves their registry and status page',
          arguments: [],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $store,
            $secretFor,
            $secretEnv,
            $endpointHost,
            $secretCommand,
            $maxRunning,
            $maxRunningEach,
            $host2,
            $port2,
            $readyFile,
            $allowHost,
            $allowPrivateEndpoints,
            $openMetrics,
            $help,
          ],
          commands: [],
        },
        {
          name: 'schedules',
          summary: 'what is registered, and when it is due',
          arguments: [],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $output,
            $format6,
            $owner,
            $help,
          ],
          commands: [],
        },
        {
          name: 'runs',
          summary: 'the latest runs, by tick',
          arguments: [],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $output,
            $format6,
            $owner,
            $schedule,
            $state,
            $limit,
            $help,
          ],
          commands: [],
        },
        {
          name: 'show',
          summary: 'one run, and all that happened to it',
          arguments: [{ name: 'run' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $output, $help],
          commands: [],
        },
        {
          name: 'resolve',
          summary: 'says what became of a run whose answer was lost',
          arguments: [{ name: 'run' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $id, $lost, $resend, $help],
          commands: [],
        },
        {
          name: 'pause',
          summary: 'fires a schedule no more, until it is resumed; a drift, if it is declared otherwise',
          arguments: [{ name: 'schedule' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $owner2, $help],
          commands: [],
        },
        {
          name: 'resume',
          summary: 'fires a schedule again, from its next tick on',
          arguments: [{ name: 'schedule' }],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $owner2, $help],
          commands: [],
        },
        {
          name: 'now',
          summary: 'runs a schedule at this moment; the run is billed',
          arguments: [{ name: 'schedule' }],
          options: [$yes, $file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $owner2, $help],
          commands: [],
        },
        {
          name: 'run',
          summary: 'fires one tick, once, whoever else fires it',
          arguments: [{ name: 'schedule' }],
          options: [
            $file,
            $allowEnv,
            $apiUrl,
            $managerUrl,
            $timeout,
            $retries,
            $logHttp,
            $store,
            $secretFor,
            $secretEnv,
            $endpointHost,
            $secretCommand,
            $maxRunning,
            $maxRunningEach,
            $owner2,
            $tick,
            $help,
          ],
          commands: [],
        },
        {
          name: 'export',
          summary: 'writes what makes another scheduler tick',
          arguments: [],
          options: [$file, $allowEnv, $to2, $out3, $force2, $image, $environmentFile, $help],
          commands: [],
        },
        {
          name: 'rotate-key',
          summary: 'seals the secrets of the ledger anew, under the first of the keys',
          arguments: [],
          options: [$file, $allowEnv, $apiUrl, $managerUrl, $timeout, $retries, $logHttp, $store, $help],
          commands: [],
        },
        {
          name: 'help',
          summary: 'display help for command',
          arguments: [
            {
              name: 'command',
              choices: [
                'serve',
                'schedules',
                'runs',
                'show',
                'resolve',
                'pause',
                'resume',
                'now',
                'run',
                'export',
                'rotate-key',
              ],
            },
          ],
          options: [],
          commands: [],
        },
      ],
    },
    {
      name: 'schema',
      summary: 'the JSON Schema of the declaration, or of a report',
      arguments: [{ name: 'document', choices: ['declaration', 'plan', 'apply', 'history'] }],
      options: [$out2, $help],
      commands: [],
    },
    {
      name: 'completion',
      summary: 'a completion script for bash, zsh or fish',
      arguments: [{ name: 'shell', choices: ['bash', 'zsh', 'fish'] }],
      options: [$help],
      commands: [],
    },
    {
      name: 'emulator',
      summary: 'run the service on loopback, from an account file',
      arguments: [],
      options: [$account2, $host2, $port3, $managerPort, $proxyPort, $readyFile2, $state2, $deliverTo, $help],
      commands: [],
    },
    {
      name: 'help',
      summary: 'display help for command',
      arguments: [
        {
          name: 'command',
          choices: [
            'init',
            'validate',
            'plan',
            'apply',
            'drift',
            'pull',
            'destroy',
            'history',
            'undo',
            'ci',
            'request',
            'search',
            'reviews',
            'zones',
            'asns',
            'manager',
            'proxy-url',
            'collect',
            'snapshot',
            'receive',
            'triggers',
            'schema',
            'completion',
            'emulator',
          ],
        },
      ],
      options: [],
      commands: [],
    },
  ],
};
