/** Every command as it is typed, and what it says; what it refuses is in `test/cli`. */
import { afterMove, afterTrigger, type CommandCase, input, move, selected, triggered } from './commandSetup.ts';

const plan = `zoneIpAllocations.static
  checkout   8 → 9 IPs  us 5 → 6
  pricing   10 → 9 IPs  us 7 → 6
  1.  1 IP  from pricing  to checkout  192.0.2.10 us
  note: checkout holds 8 unmanaged IPs

Plan: 1 IP moves in 1 call (may incur charges) · 8 unmanaged IPs left.
`;
const applied = `${plan}\nzoneIpAllocations.static  done\n\nApply: 1 IP moved in 1 call.\n`;
const moving = '1 IP to move from pricing to checkout; may incur charges:\n  192.0.2.10 (us)\n';
const proxyUrl = 'http://svc-customer-hl_example-zone-checkout:zone-password-1@127.0.0.1:44445\n';
const ndjson = '{"zone":"checkout","ip":"203.0.113.205"}\n{"zone":"checkout","ip":"203.0.113.206"}\n';
const none = '';

/** By the command, or the command and the one below it. */
export const commandCases: Readonly<Record<string, readonly CommandCase[]>> = {
  init: [{ line: 'init new.yaml', stdout: /^Wrote new\.yaml\.\nWrote webdata\.schema\.json [\s\S]*\n\nNext:\n/ }],
  fmt: [{ line: 'fmt', stdout: 'webdata.yaml\n' }],
  unlock: [{ line: 'unlock --yes', stdout: /./ }],
  'backend push': [{ line: 'backend push', code: 1, stdout: none, stderr: /backend/ }],
  'backend adopt': [{ line: 'backend adopt', code: 1, stdout: none, stderr: /missing required argument 'name'/ }],
  doctor: [{ line: 'doctor', stdout: /^ok {5}declaration\s+valid, declares 1 resource\nok {5}versions [^\n]+\nok / }],
  validate: [{ line: 'validate', stdout: 'webdata.yaml is valid: 1 zone IP allocation.\n' }],
  show: [
    { line: 'show --zone checkout --zone pricing', stdout: /^{api} {2}18 IPs in 2 zones,[\s\S]*\npricing {3}10 / },
  ],
  audit: [{ line: 'audit', stdout: /^{api} {2}4 callers of 3 zones, 4 not compared/ }],
  plan: [
    { line: 'plan', stdout: plan },
    { line: 'plan --detailed-exitcode', code: 2, stdout: plan },
  ],
  apply: [
    { line: 'apply --yes', stdout: applied },
    {
      line: 'apply',
      code: 1,
      stdout: plan,
      stderr: /^not applied: no terminal to confirm on\n {2}fix: review the plan/,
    },
  ],
  drift: [
    { line: 'drift', code: 2, stdout: /\nDrift: 1 IP is not where it is declared · 8 IPs are unmanaged\.\n$/ },
    {
      line: 'drift',
      refused: true,
      code: 1,
      stdout: /was answered 401: [\s\S]*Drift: 1 problem prevents a full check/,
    },
    {
      line: 'drift --strickt',
      code: 1,
      stdout: none,
      stderr: /^error: unknown option '--strickt'\n\(Did you mean --str/,
    },
  ],
  pull: [
    { line: 'pull --by-ip --zone old-pricing', stdout: /^service:\n {2}url: {api}\n[\s\S]*\n +- 198\.51\.100\.20\n/ },
  ],
  destroy: [{ line: `destroy --yes ${selected}`, stdout: 'Nothing to destroy. Live state is unchanged.\n' }],
  history: [{ line: 'history', prepare: afterMove, stdout: /^\w{8} {2}\S+Z {2}zones migrate {2}done {2}{api}\n/ }],
  undo: [{ line: 'undo --yes', prepare: afterMove, stdout: /\nUndo: 1 IP moved in 1 call\.\n$/ }],
  'ci plan': [{ line: 'ci plan', stdout: plan, stderr: /^note: not running in GitHub Actions or GitLab CI/ }],
  request: [{ line: 'request https://example.com/ --zone checkout', stdout: /^<!doctype html>\n<title>Example</ }],
  search: [{ line: 'search coffee --zone results --format ndjson', stdout: /^({"link":.*"rank":\d+,.*}\n){10}$/ }],
  reviews: [{ line: 'reviews 0x1:0x2 --zone results', stdout: '[]\n' }],
  'zones ips': [
    { line: 'zones ips old-pricing --format csv', stdout: /^ip,country,geo_db_1,.*\r\n198\.51\.100\.20,us/ },
  ],
  'zones countries': [{ line: 'zones countries old-pricing --format json', stdout: '{\n  "us": 3,\n  "de": 2\n}\n' }],
  'zones recent': [{ line: 'zones recent checkout --format ndjson', stdout: ndjson }],
  'zones migrate': [
    { line: move, stdout: /^IP +COUNTRY +RESULT\n192\.0\.2\.10 +us +moved to checkout\n/, stderr: moving },
  ],
  asns: [{ line: 'asns checkout --format csv', stdout: 'asn,title\r\n64500,Example Networks\r\n' }],
  'manager settings': [
    { line: 'manager settings --format json', stdout: /^{\n {2}"zone": "pricing",\n[\s\S]*"logs": 1000,\n/ },
    {
      line: 'manager settings',
      refused: true,
      code: 1,
      stdout: none,
      stderr: /^GET {manager}\S+ was answered 401: .*own bearer/,
    },
  ],
  'manager stats': [{ line: 'manager stats --format json', stdout: /^{\n {2}"ports": {\n {4}"24000": {\n/ }],
  'proxy-url': [
    {
      line: 'proxy-url checkout --account hl_example --host 127.0.0.1',
      stdout: proxyUrl,
      stderr: /contains the password/,
    },
  ],
  collect: [
    { line: `collect c_prices ${input}`, stdout: /^\[\n{"title":"Item 1","input":{"url":/, stderr: triggered('j') },
    { line: `collect --dataset gd_companies ${input} --format csv`, stdout: /^name,input\r\n/, stderr: triggered('s') },
  ],
  snapshot: [{ line: 'snapshot', prepare: afterTrigger, stdout: /^\[\n{"name":"Company 1",.*}\n\]\n$/ }],
  schema: [{ line: 'schema plan', stdout: /^{\n {2}"\$schema": ".*",\n {2}"\$id": "urn:webdata:plan:/ }],
  completion: [{ line: 'completion bash', stdout: /^# bash completion of webdata\n/ }],
  emulator: [
    { line: 'emulator --account none.yaml', code: 1, stdout: none, stderr: /^account file .*none\.yaml does not/ },
  ],
};
