/**
 * Data that the processes of one program share about an account, in files beside the locks of this machine. An engine starts a process for each provider
 * of a program, whose file counts as long as the process runs; and Terraform plans in one process and applies in another one.
 */
import { createHash, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isRunning } from '../../base/files/ownFiles.ts';
import { parsedJson } from '../../base/values/plain.ts';
import { hasMachineFolder, machineFolder } from '../backend/folder/machineFolder.ts';

export interface Siblings {
  /** Replaces what this process publishes, soon. It must hold no secret. */
  publish(value: () => unknown): void;
  /** Returns what the others publish. */
  others(): unknown[];
}

/** A program declares many resources at the same moment, and each publishing writes all of them. */
const publishingMs = 50;

/** `program` names the program: the process that has started this one. */
export function siblingsOf(program: number, server: string): Siblings {
  if (!hasMachineFolder(process.env)) return { publish: () => undefined, others: () => [] };
  const folder = machineFolder(process.env);
  const group = `declared-${program}-${createHash('sha256').update(server).digest('hex').slice(0, 16)}-`;
  const own = `${group}${process.pid}-${randomUUID().slice(0, 8)}.json`;
  let lastPublished = 0;
  let isWaiting = false;
  process.once('exit', () => rmSync(join(folder, own), { force: true }));
  return {
    publish(value) {
      if (isWaiting) return;
      isWaiting = true;
      const write = () => {
        isWaiting = false;
        lastPublished = Date.now();
        replaceFile(join(folder, own), value());
      };
      setTimeout(write, Math.max(0, lastPublished + publishingMs - Date.now())).unref();
    },
    others() {
      const names = readdirSync(folder).filter((name) => name.startsWith('declared-') && name.endsWith('.json'));
      const ended = names.filter((name) => !isRunning(Number(name.split('-')[3])));
      for (const name of ended) rmSync(join(folder, name), { force: true });
      const running = names.filter((name) => name.startsWith(group) && name !== own && !ended.includes(name));
      return running.map((name) => parsedJson(textOf(join(folder, name))));
    },
  };
}

/** Returns what the last plan in this folder has left for its apply: it must hold no secret, and is undefined without one. */
export function lastPlanOf(server: string): { leave(value: unknown): void; read(): unknown } {
  if (!hasMachineFolder(process.env)) return { leave: () => undefined, read: () => undefined };
  const folder = createHash('sha256').update(`${server}\n${process.cwd()}`).digest('hex').slice(0, 16);
  const path = join(machineFolder(process.env), `planned-${folder}.json`);
  return { leave: (value) => replaceFile(path, value), read: () => parsedJson(textOf(path)) };
}

/** A full disk must not end a process that writes to the account. The others then know less. */
function replaceFile(path: string, value: unknown): void {
  try {
    writeFileSync(`${path}.draft`, JSON.stringify(value), { mode: 0o600 });
    renameSync(`${path}.draft`, path);
  } catch {}
}

/** Another process may have removed the file since the folder was read. */
function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
