import type { JsonSchema } from '../../tool';
import { mapSchemas, newestDraftOf, someSchema } from '../json-schema';
import type { AnyClass, TypeTemplate } from '../metadata';
import { ClassSchemaBuilder } from './class-schema.builder';

/** Where OpenAPI documents have what their schemas refer to. */
const COMPONENTS = '#/components/';
const MODELS = `${COMPONENTS}schemas/`;

/**
 * A parameter's schema in OpenAPI metadata, as a schema of its own: it may refer to components of the
 * application's OpenAPI document. Those that are models become their classes; of the others nothing
 * is known, so they may be anything.
 *
 * @param models the classes that `@ApiExtraModels` names
 */
export function documentSchemaOf(schema: JsonSchema, models: readonly AnyClass[]): JsonSchema {
  // OpenAPI 3.0 has keywords of an older draft, and "nullable".
  const own = newestDraftOf(schema);
  if (!refersToComponents(own)) return own;
  return new ClassSchemaBuilder('input', []).buildTemplate(withClasses(own, models));
}

function withClasses(schema: JsonSchema, models: readonly AnyClass[]): TypeTemplate {
  const { allOf, ...others } = schema;
  // Class schemas refuse unknown properties, so no value fits one and another part.
  const parts = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [];
  const isMixed = parts.length > 1 && parts.some(refersToComponents);
  const part = isMixed ? { ...others, additionalProperties: true } : schema;
  const inside = mapSchemas(part, (inner) => withClasses(inner, models));
  if (!isComponent(part.$ref)) return inside;
  const { $ref, ...beside } = inside;
  const model = models.find(({ name }) => $ref === MODELS + name);
  return model ? { ...beside, $of: model } : beside;
}

function refersToComponents(schema: JsonSchema): boolean {
  return isComponent(schema.$ref) || someSchema(schema, refersToComponents);
}

function isComponent($ref: string | undefined): boolean {
  return typeof $ref === 'string' && $ref.startsWith(COMPONENTS);
}
