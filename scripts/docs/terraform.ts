/** The reference in docs/terraform.md, from the schemas of the provider. */
import type { Attribute, Type } from '../../providers/terraform/attributes.ts';
import { dataSources } from '../../providers/terraform/dataSources.ts';
import { functions } from '../../providers/terraform/functions.ts';
import { resourceTypes } from '../../providers/terraform/resources.ts';
import { settingAttributes } from '../../providers/terraform/settings.ts';
import { code, tableOf } from './markdown.ts';

const block = /(<!-- begin generated: (?:provider|resources|data-sources) -->\n)[\s\S]*?(<!-- end generated -->)/g;

/** Returns the page with its generated tables. */
export function withTerraformReference(page: string): string {
  const parts = [providerTable(), resourceTables(), dataSourceTables()];
  return page.replaceAll(block, (_, begin: string, end: string) => `${begin}${parts.shift()}${end}`);
}

function providerTable(): string {
  return attributeTable(
    settingAttributes.flatMap((attribute) => (attribute.name === 'profile' ? profileRow : rowsOf(attribute))),
  );
}

/** The fields of the profile have the same meaning in a declaration, which explains them. */
const profileRow = [
  [code('profile'), 'object', 'The fields of [service.profile](declaration.md#serviceprofile), in snake case.'],
];

function resourceTables(): string {
  const tables = resourceTypes().map(({ name, attributes }) => {
    const given = attributes.filter(({ isRequired, isOptional }) => isRequired || isOptional);
    const read = attributes.filter(({ isComputed, isOptional }) => isComputed && !isOptional);
    return `## ${name}\n\n${attributeTable(given.flatMap((each) => rowsOf(each)))}\n${readOnly(read)}`;
  });
  return tables.join('\n');
}

function readOnly(attributes: readonly Attribute[]): string {
  const rows = attributes.map(({ name, description, shape }) => [code(name), shapeWords(shape), description]);
  return tableOf(['read-only attribute', 'type', 'meaning'], rows);
}

function dataSourceTables(): string {
  const sources = dataSources.map(({ name, description, attributes }) => [
    code(name),
    attributes.map((each) => code(each.name)).join(', '),
    description,
  ]);
  const calls = Object.entries(functions).map(([name, { description, parameters }]) => [
    code(`provider::webdata::${name}(${parameters.map((each) => each.name).join(', ')})`),
    parameters.map((each) => `${code(each.name)}: ${each.description}`).join(' '),
    description,
  ]);
  return tableOf(['data source or function', 'attributes', 'meaning'], [...sources, ...calls]);
}

function attributeTable(rows: readonly (readonly string[])[]): string {
  return tableOf(['attribute', 'type', 'meaning'], rows);
}

/** A row for each attribute: path, type, meaning. */
function rowsOf({ name, description, isRequired, isSensitive, isWriteOnly, shape }: Attribute, path = ''): string[][] {
  const marks = [isRequired && 'required', isWriteOnly ? 'write-only' : isSensitive && 'sensitive'].filter(Boolean);
  const inner = `${path}${name}.${shape.nested?.nesting === 'MAP' ? 'NAME.' : ''}`;
  return [
    [code(`${path}${name}`), [shapeWords(shape), ...marks].join(', '), description],
    ...(shape.nested?.attributes ?? []).flatMap((each) => rowsOf(each, inner)),
  ];
}

function shapeWords({ type, nested }: Attribute['shape']): string {
  if (type !== undefined) return typeWords(type);
  return { SINGLE: 'object', LIST: 'list of objects', MAP: 'map of objects' }[nested?.nesting ?? 'SINGLE'];
}

function typeWords(type: Type): string {
  if (typeof type !== 'string')
    return type[0] === 'object' ? 'object' : `${type[0]} of ${typeWords(type[1] as Type).replace(/^\w+/, '$&s')}`;
  return type === 'dynamic' ? 'any type' : type;
}
