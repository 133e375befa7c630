/** `ManagerSettings` as a Pulumi resource. */
import { type CustomResourceOptions, dynamic, type Input, type Output } from '@pulumi/pulumi';

import { ignoring } from './ignoreChanges.ts';
import { providerOf } from './provider.ts';

/** Settings of a local proxy manager. A setting that is left out stays unchanged; an empty list clears the setting. Inputs may be outputs of other resources. */
export interface ManagerSettingsArgs extends SettingInputs {
  /** URL of the manager, by default `webdata:managerUrl`. Another URL is another manager, and replaces the resource. */
  url?: Input<string>;
  /** Proxy ports that must not exist. */
  absentPorts?: Input<Input<number>[]>;
  /** Fields that updates leave alone. */
  ignoreChanges?: Input<Input<ManagerSettingName | 'absentPorts'>[]>;
}

type SettingInputs = { [Name in ManagerSettingName]?: InputOf<LiveManagerSettings[Name]> };
type InputOf<T> = [T] extends [(infer Item)[]] ? Input<Input<Item>[]> : Input<T>;

export type ManagerSettingName = keyof LiveManagerSettings;

/**
 * The live settings, including those that are not declared. Written out, because a derived type would bring the types of zod into programs,
 * which some compiler options do not accept.
 */
export interface LiveManagerSettings {
  zone: string;
  wwwWhitelistIps: string[];
  whitelistIps: string[];
  logs: number;
  requestStats: boolean;
}

/**
 * Changes the declared settings of a local proxy manager, and deletes ports that must not exist. Deleting the resource leaves the settings
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
  /** URL of the manager. */
  declare readonly manager: Output<string>;
  /** The settings at the last read. */
  declare readonly settings: Output<LiveManagerSettings>;
  /** Ports that were deleted, for a manager that does not show its ports. */
  declare readonly deletedPorts: Output<number[]>;

  constructor(name: string, args: ManagerSettingsArgs = {}, options?: CustomResourceOptions) {
    const outputs = { manager: undefined, settings: undefined, deletedPorts: undefined };
    const ignored = ignoring(args, options);
    super(provider, name, { ...args, ...ignored.inputs, ...outputs }, ignored.options, 'webdata', 'ManagerSettings');
  }
}

const provider = providerOf('ManagerSettings');
