import { isDeepStrictEqual } from 'node:util';
import type { JsonSchema } from '../../tool';
import {
  composed,
  fitsForm,
  follow,
  isSchema,
  mapSchemas,
  newestDraftOf,
  only,
  someSchema,
  without,
} from '../json-schema';
import type { AnyClass, ApiProperty, TypeTemplate } from '../metadata';
import { ClassSchemaBuilder } from './class-schema.builder';
import { apiAnnotations } from './property';
import { isWithin } from './taken-default';

/** Where OpenAPI documents have their models. */
const MODELS = '#/components/schemas/';

/**
 * A parameter's schema in OpenAPI metadata, as a schema of its own: it may refer to components of the
 * application's OpenAPI document. Those that are models become their classes; of the others, and of
 * other documents, nothing is known, so they may be anything. Keywords that no schema can have so are left out.
 *
 * @param models the classes that `@ApiExtraModels` names
 */
export function documentSchemaOf(schema: JsonSchema, models: readonly AnyClass[]): JsonSchema {
  // OpenAPI 3.0 has keywords of an older draft, and "nullable".
  const own = wellFormed(withUsefulExamples(newestDraftOf(schema)));
  const leadsOut = ({ $ref }: JsonSchema): boolean =>
    $ref !== undefined && follow($ref, own) === undefined;
  const refersOut = (part: JsonSchema): boolean => leadsOut(part) || someSchema(part, refersOut);
  if (!refersOut(own)) return own;
  const modelOf = ({ $ref }: JsonSchema): AnyClass | undefined =>
    models.find(({ name }) => $ref === MODELS + name);
  const known = (part: JsonSchema): JsonSchema =>
    isSchema(part.not) && refersOut(part.not) ? without(part, 'not') : part;
  const withClasses = (part: JsonSchema): TypeTemplate => {
    const { allOf, ...others } = known(part);
    // Class schemas refuse unknown properties, so no value fits one and another part.
    const parts = Array.isArray(allOf) ? (allOf as readonly JsonSchema[]) : [];
    const isMixed = parts.length + (others.properties ? 1 : 0) > 1 && parts.some(refersOut);
    if (isMixed && parts.every((one) => isSchema(one) && (!leadsOut(one) || modelOf(one)))) {
      const whole = composed(others.properties ? [...parts, others] : parts);
      if (whole) return withClasses({ ...others, ...whole });
    }
    const inside = mapSchemas(
      isMixed ? { ...others, additionalProperties: true } : known(part),
      withClasses,
    );
    if (!leadsOut(part)) return inside;
    const model = modelOf(part);
    const beside = without(inside, '$ref');
    return model ? { ...beside, $of: model } : beside;
  };
  return new ClassSchemaBuilder('input').buildTemplate(withClasses(own));
}

/** The informative examples of OpenAPI metadata, as a keyword; none without any. */
export function apiExamples({ example, examples }: ApiProperty): JsonSchema {
  return only(apiAnnotations({ example, examples }), 'examples');
}

/** OpenAPI's `example` becomes one of `examples`. */
function withUsefulExamples(schema: JsonSchema): JsonSchema {
  const described = { ...without(schema, 'example', 'examples'), ...apiExamples({ ...schema }) };
  return mapSchemas(described, withUsefulExamples);
}

/**
 * Nest does not check metadata, and one wrong keyword would refuse every value. So would `oneOf` of models that
 * share a value, or of unknown ones: it becomes `anyOf`. A `not` is kept only unchanged, because a looser one
 * refuses more.
 */
function wellFormed(schema: JsonSchema): JsonSchema {
  const { oneOf, ...fitting } = Object.fromEntries(
    Object.entries(schema).filter(
      ([keyword, value]) => fitsForm(keyword, value) && (keyword !== 'not' || isWellFormed(value)),
    ),
  ) as JsonSchema & Partial<Record<'anyOf' | 'oneOf', readonly JsonSchema[]>>;
  const anyOf = [...(fitting.anyOf ?? []), ...(oneOf ?? [])];
  const open: JsonSchema = { ...fitting, ...(anyOf.length > 0 && { anyOf }) };
  const isRefused = open.default !== undefined && !isWithin(open, open.default);
  return mapSchemas(isRefused ? without(open, 'default') : open, wellFormed);
}

function isWellFormed(schema: unknown): boolean {
  return isSchema(schema) && isDeepStrictEqual(wellFormed(schema), schema);
}
