import { withFallback } from '../../../internal';
import { isJsonObject, type JsonValue } from '../../../message';
import { follow } from '../../../schema';
import type { JsonSchema } from '../../../tool';

const REFERENCES = ['$ref', '$dynamicRef', '$recursiveRef'];
const ANCHORS = ['$anchor', '$dynamicAnchor', '$id'];
/** Keywords that hold schemas by name; the names are no keywords. */
const MAPS: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  'dependentSchemas',
  'dependencies',
]);
/** Keywords whose schemas check the same value: one, a list or a map of them. */
const ONE: ReadonlySet<string> = new Set(['not', 'if']);
const CONDITIONAL: ReadonlySet<string> = new Set(['then', 'else']);
const SEVERAL: ReadonlySet<string> = new Set([
  'allOf',
  'anyOf',
  'oneOf',
  'dependentSchemas',
  'dependencies',
]);
/** Definitions count at their references; the other keywords contain values that no check reads. */
const PASSED_OVER: ReadonlySet<string> = new Set(['$defs', 'definitions', 'default', 'examples']);
/** Values that a check compares. */
const COMPARED: ReadonlySet<string> = new Set(['enum', 'const']);
/** This many comparisons take as long as one schema. */
const COMPARISONS = 10;

/**
 * The number of schemas a check may visit if all references are written out. A target that is
 * referred to twice counts twice, so a chain of such targets doubles with each of them. A reference
 * to an enclosing schema counts as one: the checked value decides how often it is followed.
 */
export function expansionsOf(schema: JsonSchema): number {
  return new Expansions(schema).of(schema);
}

/** Whether a check may return to a schema with the same value, and so never end. */
export function isEndless(schema: JsonSchema): boolean {
  const expansions = new Expansions(schema);
  expansions.of(schema);
  return expansions.isEndless();
}

/** A check of this many schemas takes a few hundred milliseconds at most. */
const AFFORDABLE = 200_000;

/**
 * Whether a value can be checked in little time: each of its members may visit the whole schema. A
 * schema that refers to itself may visit each level of the value several times as often as the one
 * above.
 */
export function isAffordable(value: JsonValue, schema: JsonSchema): boolean {
  const expansions = new Expansions(schema);
  const each = expansions.of(schema);
  const { members, depth } = sizeOf(value);
  const visits = expansions.isRecursive ? each ** depth : 1;
  return Math.max(each * members, visits) <= AFFORDABLE;
}

function sizeOf(value: unknown): { readonly members: number; readonly depth: number } {
  let level: readonly unknown[] = [value];
  let members = 0;
  let depth = 0;
  for (; level.length > 0 && members <= AFFORDABLE; depth += 1) {
    members += level.length;
    level = level.flatMap((one): readonly unknown[] =>
      typeof one === 'object' && one !== null ? Object.values(one) : [],
    );
  }
  return { members, depth };
}

class Expansions {
  isRecursive = false;
  private readonly open = new Set<object>();
  private readonly known = new Map<object, number>();
  private readonly anchors = new Map<string, unknown[]>();
  /** The schemas that pointers may start from: the whole one, and those with an `$id`. */
  private readonly roots: JsonSchema[] = [];

  constructor(root: JsonSchema) {
    this.roots.push(root);
    this.collect(root);
  }

  of(part: unknown): number {
    if (Array.isArray(part)) return sumOf(part, (item) => this.of(item));
    if (!isJsonObject(part)) return 0;
    const known = this.known.get(part);
    if (this.open.has(part)) this.isRecursive = true;
    if (known !== undefined) return known;
    this.open.add(part);
    // A placeholder while the part is being counted, so that a cycle ends.
    this.known.set(part, 1);
    const count = 1 + sumOf(Object.entries(part), ([key, value]) => this.under(key, value));
    this.known.set(part, count);
    this.open.delete(part);
    return count;
  }

  /** Whether a schema that was counted leads back to itself without a step into the value. */
  isEndless(): boolean {
    const done = new Set<unknown>();
    const above = new Set<unknown>();
    const leadsBack = (part: unknown): boolean => {
      if (above.has(part)) return true;
      if (done.has(part) || !isJsonObject(part)) return false;
      done.add(part);
      above.add(part);
      const isBack = this.besides(part).some(leadsBack);
      above.delete(part);
      return isBack;
    };
    return [...this.known.keys()].some(leadsBack);
  }

  /** The schemas that check the same value. */
  private besides(part: object): readonly unknown[] {
    return Object.entries(part).flatMap(([key, value]: [string, unknown]) => {
      if (REFERENCES.includes(key) && typeof value === 'string') return this.targetsOf(value);
      if (ONE.has(key) || ('if' in part && CONDITIONAL.has(key))) return [value];
      return SEVERAL.has(key) ? (Object.values(Object(value) as object) as unknown[]) : [];
    });
  }

  private under(key: string, value: unknown): number {
    if (PASSED_OVER.has(key)) return 0;
    if (COMPARED.has(key)) return Math.floor(sizeOf(value).members / COMPARISONS);
    if (REFERENCES.includes(key) && typeof value === 'string') {
      // An `$id` decides which target is meant; the costliest is counted. The compiler may find
      // targets that are not found here.
      const targets = this.targetsOf(value).filter(isJsonObject);
      return targets.length === 0 ? Infinity : Math.max(...targets.map((part) => this.of(part)));
    }
    if (!MAPS.has(key) || !isJsonObject(value)) return this.of(value);
    return sumOf(Object.values(value), (part) => this.of(part));
  }

  private targetsOf(reference: string): readonly unknown[] {
    const fragment = reference.slice(reference.indexOf('#') + 1);
    const isPointer = fragment === '' || fragment.startsWith('/');
    if (isPointer) {
      // What any other reference means depends on the `$id` around it, so each root is taken.
      const named = URL.canParse(reference)
        ? this.roots.filter(({ $id }) => reference === `${String($id)}#${fragment}`)
        : [];
      const roots = named.length > 0 ? named : this.roots;
      return roots.map((root) => follow(`#${fragment}`, root));
    }
    const name = withFallback(() => decodeURIComponent(fragment), fragment);
    return this.anchors.get(name) ?? [];
  }

  private collect(part: unknown): void {
    if (typeof part !== 'object' || part === null) return;
    for (const [key, value] of Object.entries(part) as [string, unknown][]) {
      if (typeof value !== 'string') this.collect(value);
      else if (ANCHORS.includes(key)) this.addAnchor(key, value, part);
    }
  }

  private addAnchor(key: string, value: string, part: object): void {
    if (key === '$id') this.roots.push(part as JsonSchema);
    const name = value.slice(value.indexOf('#') + 1);
    this.anchors.set(name, [...(this.anchors.get(name) ?? []), part]);
  }
}

function sumOf<Item>(items: readonly Item[], count: (item: Item) => number): number {
  return items.reduce((sum, item) => sum + count(item), 0);
}
