/** Data sources: one for each function of the package that reads live data. */
import { packageFunctions } from '../core/functions.ts';
import { type Attribute, attributesOf, snakeCase } from './attributes.ts';
import { prefix } from './resources.ts';

interface DataSource {
  /** `webdata_zone_ips`. */
  name: string;
  /** `getZoneIps`. */
  function: string;
  description: string;
  inputs: readonly Attribute[];
  outputs: readonly Attribute[];
  attributes: readonly Attribute[];
}

export const dataSources: readonly DataSource[] = Object.entries(packageFunctions).map(([name, declared]) => {
  const inputs = attributesOf(declared.inputs);
  const outputs = attributesOf(declared.outputs, 'output');
  const noun = name.replace(/^get/, '');
  const attributes = [...inputs, ...outputs];
  return {
    name: prefix + snakeCase(noun.charAt(0).toUpperCase() + noun.slice(1)),
    function: name,
    description: declared.description,
    inputs,
    outputs,
    attributes,
  };
});

/** @throws TypeError for a type that the schema does not have */
export function dataSource(name: string): DataSource {
  const found = dataSources.find((each) => each.name === name);
  if (found === undefined) throw new TypeError(`${name} is no data source of this provider`);
  return found;
}
