/** The command lines: every command, in every format, quiet and with a log of its requests. */

/** Commands that print reports. */
const reporting = [
  'plan',
  'plan --full',
  'drift',
  'drift --strict',
  'apply --yes',
  'undo --yes',
  'destroy --yes --select ZoneIpAllocation/static',
  'ci plan',
  'ci drift',
  'apply plan.json --yes',
  'apply --yes --prune',
];

const formats = ['text', 'json', 'markdown', 'html', 'junit', 'github'];

/** Commands that print data, and ad hoc calls. */
const others = [
  'plan --output plan.json',
  'plan --output plan.json --report json=report.json --report markdown=report.md --report html=report.html',
  'pull',
  'pull --zone checkout --output pulled.yaml --force',
  'request https://example.com/ --zone checkout',
  'request https://example.com/ --zone checkout --format json',
  'search coffee --zone results --format ndjson',
  'reviews 0x1:0x2 --zone results',
  'zones ips checkout',
  'zones ips checkout --format csv',
  'zones ips nowhere',
  'zones countries checkout',
  'zones recent',
  'zones migrate --from pricing --to checkout --yes 192.0.2.11',
  'asns checkout',
  'manager settings',
  'manager stats',
  'collect c_prices --input url=https://shop.example.com/1 --poll 0.1',
  'collect c_prices --input url=https://shop.example.com/1 --deliver deliver.json --no-wait',
  'collect --dataset gd_companies --input url=https://shop.example.com/1 --poll 0.1 --format csv',
  'collect c_none --input url=https://shop.example.com/1',
  'snapshot s_none',
  'triggers schedules',
  'triggers schedules --format csv',
  'triggers runs',
  'triggers show r_00000000000000000000',
  'triggers resolve r_00000000000000000000 --lost',
  'triggers pause nightly',
  'triggers resume nightly',
  'triggers run-now nightly',
  'triggers round',
  'init new.yaml',
];

/** Commands without a request, which log nothing. */
const offline = [
  'validate',
  'history',
  'history --format json',
  'schema declaration',
  'completion bash',
  'triggers rotate-key',
  'receive --port 99999',
  'emulator --account none.yaml',
];

export function lines(short: boolean): string[][] {
  const shown = short ? ['json'] : formats;
  const reports = reporting.flatMap((line) => shown.map((format) => `${line} --format ${format}`));
  const asking = [...reports, ...others];
  const all = [...asking.map((line) => `${line} --log-http`), ...(short ? [] : asking), ...offline];
  return all.map((line) => line.split(' '));
}
