import { isJsonObject, type JsonObject, type JsonValue } from '../../../message';

const MARK = 'x-mcp-header';
const TOKEN = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;
const TYPES: ReadonlySet<unknown> = new Set(['string', 'integer', 'boolean']);

/**
 * Whether all `x-mcp-header` marks of a schema are valid: header names, unique whatever their case,
 * on plain values that are reached through `properties` alone. The protocol asks clients to leave
 * out tools with invalid marks.
 *
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports
 */
export function hasValidHeaderMarks(schema: JsonObject): boolean {
  const all = marksAnywhere(schema);
  const reached = marksOfProperties(schema);
  const names = reached.map(({ name }) => (typeof name === 'string' ? name.toLowerCase() : ''));
  return (
    reached.length === all &&
    new Set(names).size === names.length &&
    reached.every(
      ({ name, type }) => typeof name === 'string' && TOKEN.test(name) && TYPES.has(type),
    )
  );
}

interface Mark {
  readonly name: JsonValue | undefined;
  readonly type: JsonValue | undefined;
}

function marksOfProperties({ properties }: JsonObject): readonly Mark[] {
  if (!isJsonObject(properties)) return [];
  return Object.values(properties).flatMap((part): readonly Mark[] => {
    if (!isJsonObject(part)) return [];
    const own = Object.hasOwn(part, MARK) ? [{ name: part[MARK], type: part['type'] }] : [];
    return [...own, ...marksOfProperties(part)];
  });
}

/** A property may have the name of the mark; its schema is no header name. */
function marksAnywhere(value: JsonValue): number {
  if (typeof value !== 'object' || value === null) return 0;
  const own = isJsonObject(value) && Object.hasOwn(value, MARK) && !isJsonObject(value[MARK]);
  return Object.values(value).reduce<number>(
    (sum, part: JsonValue) => sum + marksAnywhere(part),
    own ? 1 : 0,
  );
}
