import { KEYWORD_FORMS } from './keyword-forms';
import { isSchema, SCHEMA_HOLDERS } from './map-schemas';
import { follow, resolveRef } from './json-pointer';

/** Deeper than any arguments may be, and safe for recursive functions. */
const MAX_DEPTH = 64;

/**
 * Where a value does not have the form of a JSON Schema 2020-12. Schemas are compiled late: until
 * then, code that walks through them and providers rely on the form.
 *
 * @param name the schema's name in the messages
 */
export function formProblems(schema: unknown, name: string): readonly string[] {
  const problems: string[] = [];
  report(schema, { name, root: schema, levels: MAX_DEPTH, problems });
  return problems;
}

interface Place {
  readonly name: string;
  readonly root: unknown;
  /** The levels left. */
  readonly levels: number;
  readonly problems: string[];
}

function report(schema: unknown, place: Place): void {
  const { name, root, levels, problems } = place;
  if (typeof schema === 'boolean') return;
  if (!isSchema(schema)) return void problems.push(`"${name}" must be a JSON Schema`);
  if (levels === 0)
    return void problems.push(`"${name}" is nested deeper than ${MAX_DEPTH} levels`);
  for (const [keyword, value] of Object.entries(schema)) {
    const at = `${name}.${keyword}`;
    const form = KEYWORD_FORMS.get(keyword);
    if (form && !form.fits(value)) {
      problems.push(`"${at}" must be ${form.words}`);
      continue;
    }
    if (keyword === '$ref' && !leadsSomewhere(value as string, root))
      problems.push(`"${at}" leads nowhere: ${String(value)}`);
    const inside = (key: string): Place => ({ ...place, name: key, levels: levels - 1 });
    const holder = SCHEMA_HOLDERS.get(keyword);
    if (holder === 'one') report(value, inside(at));
    else if (holder !== undefined)
      for (const [key, part] of Object.entries(value as object))
        report(part, inside(`${at}.${key}`));
  }
}

/** A cycle of references leads nowhere. Targets of `$id` and anchors are not looked up. */
function leadsSomewhere($ref: string, root: unknown): boolean {
  if (!isSchema(root)) return false;
  if ($ref !== '#' && !$ref.startsWith('#/'))
    return /"\$(?:id|anchor|dynamicAnchor)":/.test(JSON.stringify(root));
  return follow($ref, root) !== undefined && resolveRef({ $ref }, root).$ref === undefined;
}
