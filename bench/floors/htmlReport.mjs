/**
 * Renders the HTML report of a plan and writes it to a file (`ours`), or writes the bytes of that file again (`floor`). Arguments: ours or floor,
 * the file, the number of moves. Prints the time and the processor time in milliseconds.
 */
import { readFileSync, writeFileSync } from 'node:fs';

const [which, file, moves] = process.argv.slice(2);
const perPair = 100;

const textOf = await { ours, floor }[which]();
const [started, cpu] = [performance.now(), process.cpuUsage()];
writeFileSync(which === 'ours' ? file : `${file}.copy`, textOf());
const { user, system } = process.cpuUsage(cpu);
console.log(JSON.stringify({ ms: performance.now() - started, cpuMs: (user + system) / 1000 }));

async function ours() {
  const { htmlFormat } = await import('../../dist/src/report/html/html.js');
  const plan = { resources: [allocation(Number(moves) / perPair)] };
  const report = {
    about: 'plan',
    mode: 'plan',
    plan,
    problems: [],
    origin: 'https://api.example.com',
    version: '0.1.0',
  };
  return () => htmlFormat.one(report, { color: false });
}

async function floor() {
  const text = readFileSync(file, 'utf8');
  return () => text;
}

/** Returns a plan of one resource that moves 100 IPs in each call, each between two zones of its own. */
function allocation(pairs) {
  const calls = Array.from({ length: pairs }, (_, pair) => {
    const [from, to] = [`old-${pair}`, `new-${pair}`];
    const moves = Array.from({ length: perPair }, (_, index) => {
      const address = pair * perPair + index;
      return { ip: `198.18.${address >> 8}.${address & 255}`, country: 'us', from, to, reason: 'count' };
    });
    return { type: 'migrate', from, to, moves };
  });
  const inventory = calls.flatMap(({ from, to }) => [
    { zone: from, countries: [{ country: 'us', before: perPair + 5, after: 5 }] },
    { zone: to, countries: [{ country: 'us', before: 1, after: perPair + 1 }] },
  ]);
  const id = { kind: 'ZoneIpAllocation', collection: 'zoneIpAllocations', name: 'static' };
  return { ...id, calls, changes: [], notes: [], problems: [], inventory };
}
