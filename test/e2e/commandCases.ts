/** Every command as it is typed: once as it should go, once refused by the service or the manager, once typed wrongly. */
import {
  afterMove,
  afterTrigger,
  bad,
  type CommandCase,
  good,
  input,
  mistyped,
  move,
  notAChoice,
  planRefused,
  refused,
  selected,
  unknownKey,
  unknownToken,
  unknownZone,
} from './commandSetup.ts';

const plan = `zoneIpAllocations.static
  checkout   8 → 9 IPs  us 5 → 6
  pricing   10 → 9 IPs  us 7 → 6
  1.  1 IP  from pricing  to checkout  192.0.2.10 us
  note: checkout holds 8 unmanaged IPs

Plan: 1 IP moves in 1 call (may incur charges) · 8 unmanaged IPs left.
`;

/** By the command, or the command and the one below it. */
export const commandCases: Readonly<Record<string, readonly CommandCase[]>> = {
  init: [
    {
      ...good,
      line: 'init new.yaml',
      stdout:
        /^Wrote new\.yaml\.\nWrote webdata\.schema\.json for editors .*\n\nYour account is connected\. [\s\S]*\n\nNext:\n/,
    },
    { ...bad, line: 'init new.yaml --zone nowhere', stderr: unknownZone('GET {api}/zone/ips?zone=nowhere') },
    { ...bad, line: 'init --everything', stderr: mistyped("unknown option '--everything'") },
  ],
  fmt: [
    { ...good, line: 'fmt', stdout: 'webdata.yaml\n' },
    { ...bad, line: 'fmt none.yaml', stderr: /none\.yaml/ },
    { ...bad, line: 'fmt --all', stderr: mistyped("unknown option '--all'") },
  ],
  unlock: [
    { ...good, line: 'unlock --yes', stdout: /./ },
    { ...bad, line: 'unlock --all', stderr: mistyped("unknown option '--all'") },
  ],
  'backend push': [
    { ...bad, line: 'backend push', stderr: /backend/ },
    { ...bad, line: 'backend push --all', stderr: mistyped("unknown option '--all'") },
  ],
  'backend adopt': [
    { ...bad, line: 'backend adopt', stderr: mistyped("missing required argument 'name'") },
    { ...bad, line: 'backend adopt --all', stderr: mistyped("unknown option '--all'") },
  ],
  doctor: [
    {
      ...good,
      line: 'doctor',
      stdout: /^ok {5}declaration\s+valid, declares 1 resource\nok {5}versions [^\n]+\nok {5}service /,
    },
    { ...bad, line: 'doctor -f none.yaml', stdout: /^FAILED declaration\s+none\.yaml/, stderr: /^$/ },
    { ...bad, line: 'doctor --yes', stderr: mistyped("unknown option '--yes'") },
  ],
  validate: [
    { ...good, line: 'validate', stdout: 'webdata.yaml is valid: 1 zone IP allocation.\n' },
    { ...bad, line: 'validate -f none.yaml', stderr: /^none\.yaml can't be read: the file does not exist\n {2}fix: / },
    { ...bad, line: 'validate --yes', stderr: mistyped("unknown option '--yes'") },
  ],
  show: [
    {
      ...good,
      line: 'show --zone checkout --zone pricing',
      stdout:
        /^{api} {2}18 IPs in 2 zones,[\s\S]*\n\ncheckout {3}8 {2}8 unmanaged, 1 missing\n {2}us {7}5\n {2}de {7}3\npricing {3}10 {2}1 declared elsewhere, 9 source\n[\s\S]*\n$/,
    },
    { ...refused, line: 'show', stderr: unknownKey('GET {api}/zone/recent_ips?zones=*') },
    {
      ...bad,
      line: 'show --format text',
      stderr: notAChoice("option '--format <format>' argument", 'text', 'table, json'),
    },
  ],
  audit: [
    { ...good, line: 'audit', stdout: /^{api} {2}4 callers of 3 zones, 4 not compared/ },
    { ...refused, line: 'audit', stderr: unknownKey('GET {api}/zone/recent_ips?zones=*') },
    {
      ...bad,
      line: 'audit --format text',
      stderr: notAChoice("option '--format <format>' argument", 'text', 'table, json'),
    },
  ],
  plan: [
    { ...good, line: 'plan', stdout: plan },
    { ...good, line: 'plan --detailed-exitcode', code: 2, stdout: plan },
    { ...refused, line: 'plan', stdout: planRefused('Plan'), stderr: '' },
    {
      ...bad,
      line: 'plan --format yaml',
      stderr: /^error: option '--format <format>' argument 'yaml' is invalid\. Allowed choices are text, json, /,
    },
  ],
  apply: [
    {
      ...good,
      line: 'apply --yes',
      stdout: `${plan}\nzoneIpAllocations.static  done\n\nApply: 1 IP moved in 1 call.\n`,
    },
    { ...refused, line: 'apply --yes', stdout: planRefused('Plan'), stderr: '' },
    {
      ...bad,
      line: 'apply',
      stdout: plan,
      stderr: 'not applied: no terminal to confirm on\n  fix: review the plan, then pass --yes\n',
    },
    { ...bad, line: 'apply none.json --yes', stderr: /^none\.json is not a plan file: the file does not exist\n/ },
  ],
  drift: [
    { ...good, line: 'drift', code: 2, stdout: /\nDrift: 1 IP is not where it is declared · 8 IPs are unmanaged\.\n$/ },
    { ...refused, line: 'drift', stdout: planRefused('Drift'), stderr: '' },
    { ...bad, line: 'drift --strickt', stderr: mistyped("unknown option '--strickt'\n(Did you mean --strict?)") },
  ],
  pull: [
    {
      ...good,
      line: 'pull --by-ip --zone old-pricing',
      stdout: /^service:\n {2}url: {api}\n[\s\S]*\n +- 198\.51\.100\.20\n/,
    },
    { ...bad, line: 'pull --zone nowhere', stderr: unknownZone('GET {api}/zone/ips?zone=nowhere') },
    {
      ...bad,
      line: 'pull --name a/b',
      stderr: /^error: option '--name <name>' argument 'a\/b' is invalid\. It must be /,
    },
  ],
  destroy: [
    { ...good, line: `destroy --yes ${selected}`, stdout: 'Nothing to destroy. Live state is unchanged.\n' },
    { ...refused, line: `destroy --yes ${selected}`, stdout: planRefused('Destroy'), stderr: '' },
    { ...bad, line: 'destroy --yes', stderr: mistyped("required option '--select <kind/name>' not specified") },
  ],
  history: [
    {
      ...good,
      line: 'history',
      prepare: afterMove,
      stdout:
        /^\w{8} {2}\S+Z {2}zones migrate {2}done {2}{api}\n {2}\S+@\S+[^\n]*\n {2}zoneIpAllocations\.by-hand\n {4}\d IPs? +from pricing +to checkout /,
    },
    { ...good, line: 'history', stdout: 'No runs.\n' },
    {
      ...bad,
      line: 'history --format yaml',
      stderr: notAChoice("option '--format <format>' argument", 'yaml', 'text, json'),
    },
  ],
  undo: [
    { ...good, line: 'undo --yes', prepare: afterMove, stdout: /\nUndo: 1 IP moved in 1 call\.\n$/ },
    { ...refused, line: 'undo --yes', prepare: afterMove, stdout: /was answered 401: /, stderr: '' },
    { ...bad, line: 'undo abc --yes', stderr: /^run id `abc` is too short\n {2}allowed: / },
  ],
  'ci plan': [
    { ...good, line: 'ci plan', stdout: plan, stderr: /^note: not running in GitHub Actions or GitLab CI/ },
    { ...refused, line: 'ci plan', stdout: planRefused('Plan'), stderr: /^note: not running in / },
    { ...bad, line: 'ci pln', stderr: mistyped("unknown command 'pln'\n(Did you mean plan?)") },
  ],
  request: [
    { ...good, line: 'request https://example.com/ --zone checkout', stdout: /^<!doctype html>\n<title>Example</ },
    { ...refused, line: 'request https://example.com/ --zone checkout', stderr: unknownKey('POST {api}/request') },
    {
      ...bad,
      line: 'request https://example.com/ --zone checkout --city boston',
      stderr: /^city: `city` without `country`\n {2}allowed: /,
    },
  ],
  search: [
    { ...good, line: 'search coffee --zone results --format ndjson', stdout: /^({"link":.*"rank":\d+,.*}\n){10}$/ },
    { ...refused, line: 'search coffee --zone results', stderr: unknownKey('POST {api}/request') },
    { ...bad, line: 'search coffee', stderr: mistyped("required option '--zone <zone>' not specified") },
  ],
  reviews: [
    { ...good, line: 'reviews 0x1:0x2 --zone results', stdout: '[]\n' },
    { ...refused, line: 'reviews 0x1:0x2 --zone results', stderr: unknownKey('POST {api}/request') },
    { ...bad, line: 'reviews 0x1:0x2 --zone results --pages 0', stderr: /It must be a whole number, 1 or more\.\n/ },
  ],
  'zones ips': [
    {
      ...good,
      line: 'zones ips old-pricing --format csv',
      stdout: /^ip,country,geo_db_1,geo_db_2,geo_db_3,geo_db_4\r\n198\.51\.100\.20,us,us,us,us,us\r\n/,
    },
    { ...bad, line: 'zones ips nowhere', stderr: unknownZone('GET {api}/zone/ips?zone=nowhere') },
    { ...bad, line: 'zones ips', stderr: mistyped("missing required argument 'zone'") },
  ],
  'zones countries': [
    { ...good, line: 'zones countries old-pricing --format json', stdout: '{\n  "us": 3,\n  "de": 2\n}\n' },
    {
      ...bad,
      line: 'zones countries nowhere',
      stderr: unknownZone('GET {api}/zone/ips?zone=nowhere&ip_per_country=true'),
    },
    { ...bad, line: 'zones countries a b', stderr: /^error: too many arguments for 'countries'\. Expected 1 / },
  ],
  'zones recent': [
    {
      ...good,
      line: 'zones recent checkout --format ndjson',
      stdout: '{"zone":"checkout","ip":"203.0.113.205"}\n{"zone":"checkout","ip":"203.0.113.206"}\n',
    },
    { ...refused, line: 'zones recent checkout', stderr: unknownKey('GET {api}/zone/recent_ips?zones=checkout') },
    {
      ...bad,
      line: 'zones recent --format xml',
      stderr: notAChoice("option '--format <format>' argument", 'xml', 'table, json, ndjson, csv'),
    },
  ],
  'zones migrate': [
    {
      ...good,
      line: move,
      stdout: /^IP +COUNTRY +RESULT\n192\.0\.2\.10 +us +moved to checkout\n/,
      stderr: '1 IP to move from pricing to checkout; may incur charges:\n  192.0.2.10 (us)\n',
    },
    { ...refused, line: move, stderr: unknownKey('GET {api}/zone/ips?zone=pricing') },
    {
      ...bad,
      line: 'zones migrate --from pricing --to pricing --yes 192.0.2.10',
      stderr: '--from and --to are both pricing\n  fix: name two zones\n',
    },
  ],
  asns: [
    { ...good, line: 'asns checkout --format csv', stdout: 'asn,title\r\n64500,Example Networks\r\n' },
    { ...bad, line: 'asns nowhere', stderr: unknownZone('GET {api}/api/nowhere/get_asn') },
    { ...bad, line: 'asns', stderr: mistyped("missing required argument 'zone'") },
  ],
  'manager settings': [
    { ...good, line: 'manager settings --format json', stdout: /^{\n {2}"zone": "pricing",\n[\s\S]*"logs": 1000,\n/ },
    { ...refused, line: 'manager settings', stderr: unknownToken('GET {manager}/api/settings') },
    { ...bad, line: 'manager settings x', stderr: /^error: too many arguments for 'settings'\. Expected 0 / },
  ],
  'manager stats': [
    { ...good, line: 'manager stats --format json', stdout: /^{\n {2}"ports": {\n {4}"24000": {\n/ },
    { ...refused, line: 'manager stats', stderr: unknownToken('GET {manager}/api/recent_stats') },
    {
      ...bad,
      line: 'manager stats --format csv',
      stderr: notAChoice("option '--format <format>' argument", 'csv', 'table, json'),
    },
  ],
  'proxy-url': [
    {
      ...good,
      line: 'proxy-url checkout --account hl_example --host 127.0.0.1',
      stdout: 'http://svc-customer-hl_example-zone-checkout:zone-password-1@127.0.0.1:44445\n',
      stderr: 'This URL contains the password of the zone: keep it out of logs and shared files.\n',
    },
    {
      ...bad,
      line: 'proxy-url checkout --account example --host 127.0.0.1',
      stderr: /^accountId: accountId does not begin with hl_\n {2}allowed: /,
    },
    { ...bad, line: 'proxy-url checkout', stderr: mistyped("required option '--account <id>' not specified") },
  ],
  collect: [
    {
      ...good,
      line: `collect c_prices ${input}`,
      stdout: '[\n{"title":"Item 1","input":{"url":"https://shop.example.com/1"}}\n]\n',
      stderr: /^Triggered (j_\w+)\. To resume: webdata collect --resume \1\n$/,
    },
    {
      ...good,
      line: `collect --dataset gd_companies ${input} --format csv`,
      stdout: /^name,input\r\nCompany 1,/,
      stderr: /^Triggered (s_\w+)\. To resume: webdata collect --resume \1\n$/,
    },
    {
      ...bad,
      line: `collect c_none ${input}`,
      stderr:
        /^POST {api}\/dca\/trigger\?collector=c_none was answered 404: Collector not found: c_none\n {2}fix: Check /,
    },
    {
      ...refused,
      line: `collect --dataset gd_companies ${input}`,
      stderr: /\/datasets\/v3\/trigger\?.* was answered 401: /,
    },
    { ...bad, line: 'collect', stderr: /^exactly one collector, --dataset or --resume is required\n {2}allowed: / },
  ],
  snapshot: [
    { ...good, line: 'snapshot', prepare: afterTrigger, stdout: /^\[\n{"name":"Company 1",.*}\n\]\n$/ },
    {
      ...bad,
      line: 'snapshot s_none',
      stderr: /^GET {api}\/datasets\/snapshots\/s_none\/.* was answered 404: .*Snapshot not found\n/,
    },
    { ...bad, line: 'snapshot', stderr: mistyped("missing required argument 'id'") },
  ],
  schema: [
    { ...good, line: 'schema plan', stdout: /^{\n {2}"\$schema": ".*",\n {2}"\$id": "urn:webdata:plan:/ },
    {
      ...bad,
      line: 'schema plans',
      stderr: /Allowed choices are declaration, validation, plan, accounts, apply, doctor, history\./,
    },
  ],
  completion: [
    { ...good, line: 'completion bash', stdout: /^# bash completion of webdata\n/ },
    {
      ...bad,
      line: 'completion tcsh',
      stderr: mistyped(
        "command-argument value 'tcsh' is invalid for argument 'shell'. Allowed choices are bash, zsh, fish.",
      ),
    },
  ],
  emulator: [
    {
      ...bad,
      line: 'emulator --account none.yaml',
      stderr: /^account file .*none\.yaml does not exist\n {2}allowed: /,
    },
    { ...bad, line: 'emulator --port x', stderr: /It must be a whole number, 0 or more\.\n/ },
  ],
};
