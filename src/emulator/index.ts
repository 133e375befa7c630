/** The emulator of the service, in one process, for demos, tests and users' own CI (package export `./emulator`). */

export { type Account, type AccountInput, accountSchema } from './account/account.ts';
export { readAccount } from './account/accountFile.ts';
export { parseAccount } from './account/parseAccount.ts';
export type { Controls, JobReport as RunReport } from './controls/controls.ts';
export type { EmulatedSettings as ManagerSettings } from './core/emulatedManager.ts';
export type { Fault, FaultInput, FaultRule } from './core/faults.ts';
export type { Lag } from './core/inventory.ts';
export type { Permission, Role } from './core/permissions.ts';
export type { RefusalCode } from './core/refusal.ts';
export type { Dialect } from './dialect/dialect.ts';
export type { Effect, LoggedRequest } from './http/requestLog.ts';
export type { DeliveryReport } from './jobs/deliveries.ts';
export { type Emulator, type EmulatorOptions, startEmulator, writeReadyFile } from './start.ts';
