/** The log of the receiver: one JSON object per line, without secrets. */
import type { Redact } from '../service/redact.ts';

export type Level = 'info' | 'warn' | 'error';

export type Log = (level: Level, event: string, fields?: Readonly<Record<string, unknown>>) => void;

export function logTo(write: (text: string) => unknown, redact: Redact): Log {
  return (level, event, fields = {}) => {
    write(`${redact(JSON.stringify({ time: new Date().toISOString(), level, event, ...fields }))}\n`);
  };
}
