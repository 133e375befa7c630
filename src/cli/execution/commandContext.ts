/** The context that a command works with, opened from its flags and closed at its end. */
import {
  openExclusively,
  openPlanning,
  type PlanningContext,
  type SessionContext,
  withSession,
} from '../../operations/context.ts';
import type { Surroundings } from '../../operations/options.ts';
import type { RequestEvent } from '../../service/transport/requestLog.ts';
import type { Config } from '../../sync/config/config.ts';
import type { AdHocCommand, Command } from '../../sync/run/journal.ts';
import { printableLines } from '../../values/printable.ts';
import type { ConnectionFlags, ConsentFlags, ContextFlags } from '../options/options.ts';
import type { ExitCode, Io } from '../output/io.ts';

function surroundingsOf({ logHttp }: ConnectionFlags, { env, cwd, signal, stderr }: Io): Surroundings {
  return {
    env,
    cwd,
    signal,
    warn: (text) => stderr.write(text),
    onRequest: logHttp ? (event) => stderr.write(requestLine(event)) : undefined,
  };
}

/** Opens a context with the backend and the recent runs, and closes it when `action` has ended. */
export function withPlanningContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<T>,
): Promise<T> {
  return openPlanning(flags, surroundingsOf(flags, io), config, action);
}

/** Opens a context under the lock of the service, so that only one command writes at a time. The journal is read after locking. */
export function withExclusiveContext(
  command: Command | AdHocCommand,
  flags: ContextFlags & Pick<ConsentFlags, 'lockTimeout'>,
  io: Io,
  config: Config,
  action: (context: PlanningContext) => Promise<ExitCode>,
): Promise<ExitCode> {
  return openExclusively(command, flags, surroundingsOf(flags, io), config, action);
}

/** Opens a context without a backend, and closes it when `action` has ended. */
export function withContext<T>(
  flags: ContextFlags,
  io: Io,
  config: Config,
  action: (context: SessionContext) => Promise<T>,
): Promise<T> {
  return withSession(flags, surroundingsOf(flags, io), config, action);
}

/** Returns the lines of `--log-http`: the request, its bodies, and each value of an unexpected shape. The client has redacted them. */
export function requestLine(event: RequestEvent): string {
  const { method, url, attempt, ms, status, error, requestBody, responseBody, misfits = [] } = event;
  const again = attempt > 1 ? ` (attempt ${attempt})` : '';
  const lines = [
    `http: ${method} ${url}${again} -> ${error ?? status} in ${Math.round(ms)} ms`,
    ...(requestBody === undefined ? [] : [`http:   > ${requestBody}`]),
    ...(responseBody === undefined ? [] : [`http:   < ${responseBody}`]),
    ...misfits.map(({ path, found, expected, count }) => {
      const others = count > 1 ? ` (${count} such values)` : '';
      return `http:   ! ${path}: expected ${expected}, received ${found}${others}`;
    }),
  ];
  return printableLines(lines.map((line) => `${line}\n`).join(''));
}
