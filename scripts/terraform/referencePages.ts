/** The reference of the provider in the layout of the registries, from its schemas: docs/terraform/resources, data-sources and functions. */
import type { Attribute, Type } from '../../providers/terraform/attributes.ts';
import { dataSources } from '../../providers/terraform/dataSources.ts';
import { functions } from '../../providers/terraform/functions.ts';
import { resourceTypes } from '../../providers/terraform/resources.ts';
import { settingAttributes } from '../../providers/terraform/settings.ts';

const folder = 'docs/terraform';

/** Returns the pages by file. */
export function terraformPages(): Map<string, string> {
  const resources = resourceTypes().map(({ name, kind, attributes }): [string, string] => [
    `${folder}/resources/${pageName(name)}.md`,
    page(`${name} (resource)`, kind.spec.description ?? '', sections(attributes)),
  ]);
  const sources = dataSources.map(({ name, description, attributes }): [string, string] => [
    `${folder}/data-sources/${pageName(name)}.md`,
    page(`${name} (data source)`, description, sections(attributes)),
  ]);
  const calls = Object.entries(functions).map(([name, { description, parameters }]): [string, string] => [
    `${folder}/functions/${name}.md`,
    page(`${name} (function)`, description, [
      `\`provider::webdata::${name}(${parameters.map((each) => each.name).join(', ')})\``,
      parameters.map((each) => `- \`${each.name}\` (${typeWords(each.type)}): ${each.description}`).join('\n'),
    ]),
  ]);
  const provider: [string, string] = [
    `${folder}/provider.md`,
    page(
      'The provider block',
      'Every argument is optional. Environment variables keep keys out of the configuration.',
      [
        settingAttributes
          .flatMap((attribute) => (attribute.name === 'profile' ? profileRow : rows([attribute])))
          .join('\n'),
      ],
    ),
  ];
  return new Map([provider, ...resources, ...sources, ...calls]);
}

/** The fields of the profile have the same meaning in a declaration, which explains them. */
const profileRow =
  '- `profile` (object): Differences of the service from its specification. The attributes are the fields of [service.profile](../declaration.md#serviceprofile), in snake case.';

function pageName(type: string): string {
  return type.replace(/^webdata_/, '');
}

function page(title: string, description: string, parts: readonly string[]): string {
  return `${[`# ${title}`, description, ...parts].filter((part) => part !== '').join('\n\n')}\n`;
}

function sections(attributes: readonly Attribute[]): string[] {
  const groups: [string, Attribute[]][] = [
    ['Required', attributes.filter(({ isRequired }) => isRequired)],
    ['Optional', attributes.filter(({ isOptional }) => isOptional)],
    ['Read-only', attributes.filter(({ isComputed, isOptional }) => isComputed && !isOptional)],
  ];
  return groups
    .filter(([, group]) => group.length > 0)
    .map(([title, group]) => `## ${title}\n\n${rows(group).join('\n')}`);
}

function rows(attributes: readonly Attribute[], indent = ''): string[] {
  return attributes.flatMap(({ name, description, isSensitive, isWriteOnly, shape }) => {
    const marks = [shapeWords(shape), ...(isWriteOnly ? ['write-only'] : isSensitive ? ['sensitive'] : [])].join(', ');
    return [
      `${indent}- \`${name}\` (${marks}): ${description}`.trimEnd(),
      ...rows(shape.nested?.attributes ?? [], `${indent}  `),
    ];
  });
}

function shapeWords({ type, nested }: Attribute['shape']): string {
  if (type !== undefined) return typeWords(type);
  return { SINGLE: 'object', LIST: 'list of objects', MAP: 'map of objects' }[nested?.nesting ?? 'SINGLE'];
}

function typeWords(type: Type): string {
  if (typeof type !== 'string') return type[0] === 'object' ? 'object' : `${type[0]} of ${String(type[1])}s`;
  return type === 'dynamic' ? 'any type' : type;
}
