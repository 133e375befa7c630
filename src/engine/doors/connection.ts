/** The connection of a declaration: its account and servers, without its resources. */
export {
  connectionIfAny,
  declarationFiles,
  isDeclarationThere,
  settingsFrom,
} from '../configuredConnection.ts';
export {
  accountName,
  type Connection,
  knownService,
  reachableOwner,
  resourceName,
  type Settings,
} from '../declaration/connection.ts';
export type {
  AddressOptions,
  DeclarationOptions,
  PlanningOptions,
  ProcessEnvironment,
  SetupOptions,
} from '../options.ts';
