/** The log of the receiver, without secrets. */
import { type LogFields, type LogLevel, logLine } from '../base/http/logLines.ts';
import type { Redact } from '../client/redact.ts';

export type Log = (level: LogLevel, msg: string, fields?: LogFields) => void;

export function logTo(write: (text: string) => unknown, redact: Redact): Log {
  return (level, msg, fields) => {
    write(`${redact(logLine(level, msg, fields))}\n`);
  };
}
