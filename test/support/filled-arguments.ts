import Ajv2020 from 'ajv/dist/2020';
import { resolveRef } from '../../libs/agent/src/schema';
import type { JsonSchema } from 'nestjs-agent';

const ajv = new Ajv2020({ strict: false, validateFormats: false });

/** A value as a model writes it that has to give every property: null where there is none. */
export function filled(value: unknown, part: JsonSchema, root: JsonSchema = part): unknown {
  const schema = resolveRef(part, root);
  if (schema.anyOf !== undefined) {
    const candidates = (schema.anyOf as JsonSchema[]).map((branch) => ({
      branch: { ...branch, $defs: root.$defs },
      whole: filled(value, branch, root),
    }));
    return (candidates.find(({ branch, whole }) => ajv.validate(branch, whole)) ?? candidates[0])
      ?.whole;
  }
  if (Array.isArray(value))
    return value.map((item) => filled(item, (schema.items ?? {}) as JsonSchema, root));
  if (typeof value !== 'object' || value === null) return value;
  const given = value as Readonly<Record<string, unknown>>;
  const missing = Object.keys(schema.properties ?? {}).filter((key) => !Object.hasOwn(given, key));
  return Object.fromEntries([
    ...Object.entries(given).map(([key, member]) => [
      key,
      filled(member, schema.properties?.[key] ?? {}, root),
    ]),
    ...missing.map((key) => [key, null]),
  ]);
}
