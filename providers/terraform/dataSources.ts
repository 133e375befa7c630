/** Data sources: one for each function of the package that reads live data. */
import { packageFunctions } from '../core/functions.ts';
import { attributesOf, snakeCase } from './attributes.ts';
import { prefix } from './resources.ts';

/** `webdata_zone_ips` of `getZoneIps`. */
export const dataSources = Object.entries(packageFunctions).map(([called, declared]) => {
  const inputs = attributesOf(declared.inputs);
  const outputs = attributesOf(declared.outputs, 'output');
  const noun = called.replace(/^get/, '');
  const name = prefix + snakeCase(noun.charAt(0).toUpperCase() + noun.slice(1));
  return { name, called, description: declared.description, inputs, outputs, attributes: [...inputs, ...outputs] };
});

/** @throws TypeError for a type that the schema does not have */
export function dataSource(name: string): (typeof dataSources)[number] {
  const found = dataSources.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`${name} is no data source of this provider`);
  return found;
}
