/** `webdata emulator --copy`: starts a copy of the live account on this machine, for rehearsals with the ordinary commands. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { counted } from '../../base/diagnostics/valueWords.ts';
import { type Emulator, type EmulatorOptions, startEmulator } from '../../emulator/index.ts';
import type { Config } from '../../engine/doors/declaration.ts';
import type { CopiedAccount } from './liveAccount.ts';
import type { Replacement } from './variables.ts';

export interface AccountCopy {
  emulator: Emulator;
  replacements: Replacement[];
  /** The content of the copy in words. */
  content: string;
  close(): Promise<void>;
}

/** @throws ProblemError */
export async function startCopy(
  account: CopiedAccount,
  config: Config,
  options: EmulatorOptions,
): Promise<AccountCopy> {
  const [first, ...others] = account.managers;
  const folder = await mkdtemp(join(tmpdir(), 'webdata-copy-'));
  const closing: (() => Promise<void>)[] = [() => rm(folder, { recursive: true })];
  const close = async () => {
    for (const each of closing.toReversed()) await each();
  };
  try {
    const start = async (input: Parameters<typeof startEmulator>[0], emulatorOptions: EmulatorOptions) => {
      const started = await startEmulator(input, emulatorOptions);
      closing.push(() => started.close());
      return started;
    };
    const emulator = await start(
      {
        id: copyId,
        zones: account.zones ?? {},
        manager: first?.[1].manager,
        dialect: { ...account.dialect, ...first?.[1].dialect },
      },
      options,
    );
    const { log } = options;
    const managers = await Promise.all(
      others.map(async ([url, copied]) => {
        const dialect = { ...account.dialect, ...copied.dialect };
        return { url, copy: await start({ id: copyId, manager: copied.manager, dialect }, { log }) };
      }),
    );
    const { service, manager, triggers } = config;
    const replacements: Replacement[] = [
      { variable: 'WEBDATA_API_URL', live: service.url, copy: emulator.apiUrl },
      { variable: 'WEBDATA_API_KEY', live: service.apiKey, copy: emulator.keys.ops },
      { variable: 'WEBDATA_MANAGER_URL', live: first?.[0] ?? manager.url, copy: emulator.managerUrl },
      ...managers.map(({ url, copy }) => ({ live: url, copy: copy.managerUrl })),
      // The runs of rehearsals are not those of the account.
      { variable: 'WEBDATA_BACKEND', live: undefined, copy: join(folder, 'backend') },
    ];
    if (account.registrations !== undefined) {
      const { startRegistrationServer } = await import('../../triggers/registrationServer.ts');
      const token = randomBytes(16).toString('hex');
      const server = await startRegistrationServer({
        store: join(folder, 'triggers.db'),
        token,
        ...account.registrations,
      });
      closing.push(() => server.close());
      replacements.push(
        { variable: 'WEBDATA_TRIGGERS_URL', live: triggers.url, copy: server.url },
        { variable: 'WEBDATA_TRIGGERS_TOKEN', live: triggers.token, copy: token },
      );
    }
    return { emulator, replacements, content: contentOf(account), close };
  } catch (error) {
    await close().catch(() => undefined);
    throw error;
  }
}

const copyId = 'hl_copy';

function contentOf({ zones = {}, managers, registrations }: CopiedAccount): string {
  const { deliveries = [], schedules = [] } = registrations?.records ?? {};
  const parts = [
    counted(Object.keys(zones).length, 'zone'),
    ...(managers.size > 0 ? [counted(managers.size, 'proxy manager')] : []),
    ...(deliveries.length > 0 ? [deliveries.length === 1 ? '1 delivery' : `${deliveries.length} deliveries`] : []),
    ...(schedules.length > 0 ? [counted(schedules.length, 'schedule')] : []),
  ];
  return parts.join(', ');
}
