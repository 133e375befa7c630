/** The JSON Schema and the templates of a declaration. */
export {
  declarationSchema,
  identified,
  jsonSchemaOf,
  schemaText,
} from '../declaration/declarationSchema.ts';
export { commonTemplate } from '../declaration/declarationTemplate.ts';
