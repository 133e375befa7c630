/** The Pulumi package: its configuration, resources and functions as the schema from which SDKs are generated. */
import manifest from '../../package.json' with { type: 'json' };
import type { AnyKind } from '../../src/kinds/seam/kind.ts';
import { secretSettings, stackSettings } from '../core/configuration.ts';
import { packageFunctions } from '../core/functions.ts';
import { inputSchema } from '../core/resource.ts';
import { storedKinds, storedOf } from '../core/stored/table.ts';
import { examplesOf } from './examples.ts';
import { type ObjectSpec, objectSpecOf, type PropertySpec, pascal, type Types } from './schema.ts';

const token = (name: string) => `webdata:index:${name}`;

/** Returns the package schema, in the form that `pulumi package get-schema` prints. */
export function packageSchema(version: string): object {
  const types: Types = {};
  const resources = storedKinds().map((kind) => [token(kind.name), resourceSpecOf(kind, types)]);
  const functions = Object.entries(packageFunctions).map(([name, { description, inputs, outputs }]) => [
    token(name),
    {
      description,
      inputs: objectSpecOf(inputs, pascal(name), types),
      outputs: objectSpecOf(outputs, pascal(name), types),
    },
  ]);
  const configuration = configurationSpec(types);
  return {
    name: 'webdata',
    displayName: 'Web Data',
    version,
    description: manifest.description,
    keywords: ['pulumi', 'webdata', 'kind/native', 'category/network'],
    license: manifest.license,
    publisher: 'pulumi-webdata',
    language: {
      nodejs: { packageName: '@pulumi-webdata/webdata', respectSchemaVersion: true },
      python: { packageName: 'pulumi_webdata', respectSchemaVersion: true, pyproject: { enabled: true } },
    },
    config: { variables: configuration.properties, defaults: [] },
    provider: { description: 'Connections to the service.', inputProperties: configuration.properties, properties: {} },
    types,
    resources: Object.fromEntries(resources),
    functions: Object.fromEntries(functions),
  };
}

function resourceSpecOf(kind: AnyKind, types: Types): object {
  const inputs = objectSpecOf(inputSchema(kind), kind.name, types);
  const outputs = objectSpecOf(storedOf(kind).outputSchema, kind.name, types);
  const properties = { ...inputs.properties, ...outputs.properties };
  // The provider fills in the identity from the name of the resource and its stack.
  const requiredInputs = inputs.required.filter((name) => !identityInputs.includes(name));
  return {
    description: `${inputs.description ?? ''}\n\n${examplesOf(kind.name)}`.trim(),
    inputProperties: inputs.properties,
    requiredInputs,
    properties,
    required: [...inputs.required, ...outputs.required],
  };
}

const identityInputs = ['name', 'owner'];

function configurationSpec(types: Types): ObjectSpec {
  const spec = objectSpecOf(stackSettings, 'Provider', types);
  const properties = Object.entries(spec.properties).map(([name, property]): [string, PropertySpec] => [
    name,
    secretSettings.includes(name) ? { ...property, secret: true } : property,
  ]);
  return { ...spec, properties: Object.fromEntries(properties) };
}
