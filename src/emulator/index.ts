/** The service in one process, for demos, tests and users' own CI (package export `./emulator`). */

export { type Account, type AccountInput, accountSchema } from './account.ts';
export { parseAccount, readAccount } from './accountFile.ts';
export type { Controls, RunReport } from './controls.ts';
export type { Lag } from './core/inventory.ts';
export type { Permission, Role } from './core/keyring.ts';
export type { ManagerSettings } from './core/manager.ts';
export type { RefusalCode } from './core/refusal.ts';
export type { DeliveryReport } from './deliveries.ts';
export type { Dialect } from './dialect.ts';
export type { Fault, FaultInput, FaultRule } from './faults.ts';
export type { Effect, LoggedRequest } from './requestLog.ts';
export { type Emulator, type EmulatorOptions, startEmulator, writeReadyFile } from './start.ts';
