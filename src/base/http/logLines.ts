/** The log of all servers: one JSON object per line, with the fields of pino: `level` as a word, `time` in ISO 8601, `msg`. */

export type LogLevel = 'info' | 'warn' | 'error';

export type LogFields = Readonly<Record<string, unknown>>;

/** Returns a line of the log, without a line break. */
export function logLine(level: LogLevel, msg: string, fields: LogFields = {}): string {
  return JSON.stringify({ level, time: new Date().toISOString(), msg, ...fields });
}

/** Options of pino for the same lines. */
export const pinoLines = {
  level: 'info',
  base: null,
  timestamp: () => `,"time":"${new Date().toISOString()}"`,
  formatters: { level: (level: string) => ({ level }) },
};
