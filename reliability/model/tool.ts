/** The tool and the account that are compared with the model: commands in this process, and the emulator's log of their effects. */
import type { AccountInput, Emulator } from '../../src/emulator/index.ts';
import { type CommandResult, command, openWorld } from '../frame/world.ts';
import { zoneNames } from './declaration.ts';
import type { MigrateCall, OwnedCall } from './state.ts';

export interface Tool extends AsyncDisposable {
  emulator: Emulator;
  webdata(args: readonly string[], between?: Between): Promise<CommandResult>;
  declare(yaml: string): Promise<void>;
  /** Returns the moves of the last command, from the emulator's log. */
  effects(): MigrateCall[];
  asked(): number;
  places(): Map<string, string>;
}

/** An event after a number of answered requests. */
interface Between {
  requests: number;
  happens: () => void;
}

export async function openTool(parent: string, account: AccountInput): Promise<Tool> {
  const world = await openWorld(parent, account);
  const { emulator, folder, env } = world;
  return {
    emulator,
    async webdata(args, between) {
      emulator.clearRequests();
      if (between === undefined) return await world.webdata(...args);
      let said = '';
      const stderr = watched(between, (text) => (said += text));
      const write = (text: string | Uint8Array) => stderr(String(text));
      return { ...(await command([...args, '--log-http'], { cwd: folder, env, stderr: { write } })), stderr: said };
    },
    declare: (yaml) => world.write('webdata.yaml', yaml),
    effects: () => emulator.requests().flatMap(({ effect }) => (effect && 'moved' in effect ? [moveOf(effect)] : [])),
    asked: () => emulator.requests().filter(({ route }) => route === 'zone/ips/migrate').length,
    places: () => new Map(zoneNames.flatMap((zone) => emulator.ips(zone).map((ip) => [ip, zone] as const))),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

/** Watches the log of requests for answers: the event happens before the tool continues. */
function watched({ requests, happens }: Between, say: (text: string) => void): (text: string) => void {
  let answered = 0;
  return (text) => {
    if (text.startsWith('http: ')) {
      answered += 1;
      if (answered === requests) happens();
    } else say(text);
  };
}

function moveOf({ moved, from, to }: { moved: string[]; from: string; to: string }): MigrateCall {
  return { from, to, ips: moved };
}

interface CallJson {
  from: string;
  to: string;
  ips: { ip: string }[];
}

export interface PlanJson {
  summary: { problems: number; migrateCalls: number; ips: number };
  resources: { name: string; calls: CallJson[]; problems: { code: string; found: string }[] }[];
}

export interface RunJson {
  format: string;
  result: string;
  summary: { migrateCalls: number; ips: number };
  resources: { name: string; made: MadeJson[]; notMade: CallJson[]; problems: { code: string; found: string }[] }[];
}

export interface MadeJson {
  call: CallJson & { mayIncurCharges: boolean };
  movedIps: string[];
  answered?: { count?: number };
}

export function callsOf({ resources }: PlanJson): OwnedCall[] {
  return resources.flatMap(({ name, calls }) => calls.map((call) => ownedCall(call, name)));
}

export function ownedCall({ from, to, ips }: CallJson, owner: string): OwnedCall {
  return { from, to, ips: ips.map(({ ip }) => ip), owner };
}

/** Returns the order of calls that matters: of all if one is sent at a time, otherwise of those of each zone. */
export function orderText(calls: readonly MigrateCall[], parallelism: number): string {
  if (parallelism === 1) return resultText(calls);
  const zones = [...new Set(calls.flatMap(({ from, to }) => [from, to]))].toSorted();
  const ofZone = (zone: string) => calls.filter(({ from, to }) => from === zone || to === zone);
  return zones.map((zone) => `${zone} (${resultText(ofZone(zone))})`).join(', ');
}

export function resultText(calls: readonly MigrateCall[]): string {
  return calls.map(({ from, to, ips }) => `${from} -> ${to}: ${ips.join(' ')}`).join('; ');
}
