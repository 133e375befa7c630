/** `ManagerSettings` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output } from '@pulumi/pulumi';
import { providerOf } from './provider.ts';

/** Settings of a local proxy manager. What is left out stays as it is, and an empty list empties. Everything may be an output of another resource. */
export interface ManagerSettingsArgs {
  /** Where the manager is, by default `webdata:managerUrl`. Another URL is another manager, and replaces the resource. */
  url?: Input<string>;
  /** The default zone. */
  zone?: Input<string>;
  /** Who may open the admin UI in a browser: addresses and networks. */
  wwwWhitelistIps?: Input<Input<string>[]>;
  /** Who may use the proxies, by default: addresses and networks. */
  whitelistIps?: Input<Input<string>[]>;
  /** How many request logs are kept. */
  logs?: Input<number>;
  /** Whether request statistics are kept. */
  requestStats?: Input<boolean>;
  /** Proxy ports that must not exist. */
  absentPorts?: Input<Input<number>[]>;
  /** Fields to leave alone. */
  ignoreChanges?: Input<Input<SettingName | 'absentPorts'>[]>;
}

export type SettingName = 'zone' | 'wwwWhitelistIps' | 'whitelistIps' | 'logs' | 'requestStats';

/** The settings as they are live, those that are not declared too. */
export interface LiveManagerSettings {
  zone: string;
  wwwWhitelistIps: string[];
  whitelistIps: string[];
  logs: number;
  requestStats: boolean;
}

/**
 * Sets what is declared of a local proxy manager, and deletes ports that must not exist. Deleting the resource leaves the settings
 * as they are.
 *
 * @example
 * new ManagerSettings('local', {
 *   url: 'http://127.0.0.1:22999',
 *   zone: 'checkout',
 *   whitelistIps: ['10.0.0.0/8'],
 *   absentPorts: [24010],
 * });
 */
export class ManagerSettings extends dynamic.Resource {
  /** Where the manager is. */
  declare readonly manager: Output<string>;
  /** The settings as they were last read. */
  declare readonly settings: Output<LiveManagerSettings>;
  /** Ports that were deleted, where the manager does not show its ports. */
  declare readonly deletedPorts: Output<number[]>;

  constructor(name: string, args: ManagerSettingsArgs = {}, options?: CustomResourceOptions) {
    const outputs = { manager: undefined, settings: undefined, deletedPorts: undefined };
    super(provider, name, { ...args, ...outputs }, options, 'webdata', 'ManagerSettings');
  }
}

const provider = providerOf('ManagerSettings');
