import { getOrAdd } from '../../../internal';
import {
  areOnlyChecks,
  isTransformed,
  resolveRef,
  type TextProblem,
  textProblemsOf,
  typesOf,
  zodTextProblemOf,
} from '../../../schema';
import type { JsonSchema } from '../../../tool';
import { outerPipesOf, type RouteMethod } from './route-describer';
import type { RouteInput } from './route-fields';
import { routeParametersOf, type RouteParameter } from './route-parameter';

/** A likely problem of arguments that arrive as text. */
interface TextWarning {
  readonly text: string;
  /** What tools with this warning have, for one line about many of them. */
  readonly summary: string;
}

/** A problem of some listed arguments, its text for the report, and its remedy. */
interface Problem {
  readonly of: (names: string) => string;
  readonly had: string;
  readonly remedy: string;
}

/** Maximum depth of lists in lists. */
const MAX_DEPTH = 8;

const BOOLEAN = "read it with @Transform(({ obj, key }) => [true, 'true'].includes(obj[key]))";
const NESTED =
  "set the query parser to 'extended' on Express, or querystringParser to parse of qs on Fastify";

type Problems = Readonly<Record<TextProblem | 'object', Problem>>;

const PROBLEMS: Problems = {
  number: {
    of: (names) =>
      `Calls that give ${names} are refused: a number arrives as text there, and no pipe converts it`,
    had: 'numbers that are refused, because they arrive as text',
    remedy: 'convert it with @Type(() => Number)',
  },
  boolean: {
    of: (names) =>
      `Calls that give ${names} are refused: a boolean arrives as text there, and no pipe converts it`,
    had: 'booleans that are refused, because they arrive as text',
    remedy: BOOLEAN,
  },
  false: {
    of: (names) =>
      `A false of ${names} arrives as true, because the text "false" is converted by Boolean()`,
    had: 'booleans whose false arrives as true',
    remedy: BOOLEAN,
  },
  date: {
    of: (names) =>
      `Calls that give ${names} are refused: a date arrives as text, and no pipe converts it`,
    had: 'dates that are refused, because they arrive as text',
    remedy: 'convert it with @Type(() => Date)',
  },
  list: {
    of: (names) =>
      `Calls that give one value for ${names} are refused: it arrives as a text and not as a list`,
    had: 'lists that are refused with one value, because it arrives as a text',
    remedy: `make it a list with @Transform(({ value }) => [value].flat()), or ${NESTED}`,
  },
  object: {
    of: (names) =>
      `The application's query parser makes no objects, so they arrive as JSON text: ${names}`,
    had: "objects that arrive as JSON text, because the application's query parser makes none",
    remedy: `parse it with @Transform or a pipe, or ${NESTED}`,
  },
};

const STRING_BOOL = 'read it with z.stringbool()';

/** The same, with the remedies of zod. */
const ZOD_PROBLEMS: Problems = {
  ...PROBLEMS,
  number: { ...PROBLEMS.number, remedy: 'convert it with z.coerce.number()' },
  boolean: { ...PROBLEMS.boolean, remedy: STRING_BOOL },
  false: { ...PROBLEMS.false, remedy: STRING_BOOL },
  list: {
    ...PROBLEMS.list,
    remedy: `make it a list with z.preprocess((value) => [value].flat(), …), or ${NESTED}`,
  },
  object: { ...PROBLEMS.object, remedy: `parse it with z.preprocess, or ${NESTED}` },
};

/**
 * The warnings about arguments that a route refuses or reads otherwise, because path and query carry texts alone,
 * and JSON has no dates.
 */
export function textWarningsOf(method: RouteMethod, input: RouteInput): readonly TextWarning[] {
  const outer = outerPipesOf(method);
  const parameters = routeParametersOf(method.host, method.methodName);
  const whole = parameters
    .filter((one) => one.key === undefined)
    .map(({ place, type, pipes }) => ({ place, of: textProblemsOf(type, [...outer, ...pipes]) }));
  const found = new Map<Problem, string[]>();
  for (const { name, place, key } of input.fields) {
    // The members of an open query are of unknown type.
    if (key === undefined || place === 'header') continue;
    const readers = parameters.filter((one) => one.place === place && (one.key ?? key) === key);
    const checked =
      place === 'query' &&
      !method.hasNestedQuery &&
      isUnparsed(input.schema, { name, key, readers, outer })
        ? 'object'
        : whole.find((one) => one.place === place && one.of.has(key))?.of.get(key);
    const problem = checked ?? zodProblem(key, readers, outer);
    if (problem === undefined || (place === 'body' && problem !== 'date')) continue;
    // Of a list with brackets, one value stays a list.
    if (method.hasNestedQuery && (problem === 'list' || problem === 'object')) continue;
    const { [problem]: described } = checked === undefined ? ZOD_PROBLEMS : PROBLEMS;
    getOrAdd(found, described, () => []).push(`"${name}"`);
  }
  return [...found].map(([{ of, had, remedy }, names]) => {
    const sentence = remedy.charAt(0).toUpperCase() + remedy.slice(1);
    return { text: `${of(names.join(', '))}. ${sentence}.`, summary: `${had}; ${remedy}` };
  });
}

/** The problem of a text for a schema of zod in the decorator, the class or the first pipe of its parameter. */
function zodProblem(
  key: string,
  readers: readonly RouteParameter[],
  outer: readonly unknown[],
): keyof Problems | undefined {
  return readers
    .filter(({ pipes }) => pipes.length + outer.length > 0)
    .flatMap(({ key: own, schema, type, pipes: [pipe] }) =>
      [schema, type, pipe].map((source) =>
        zodTextProblemOf(source, own === undefined ? key : undefined),
      ),
    )
    .find((problem) => problem !== undefined);
}

interface QueryField {
  readonly name: string;
  readonly key: string;
  readonly readers: readonly RouteParameter[];
  readonly outer: readonly unknown[];
}

/** Whether an argument is an object, or a list of them, that neither a pipe of its own nor its class parses. */
function isUnparsed(root: JsonSchema, { name, key, readers, outer }: QueryField): boolean {
  const part = root.properties?.[name];
  return (
    part !== undefined &&
    hasObjects(part, root) &&
    areOnlyChecks(outer) &&
    readers.some((one) =>
      one.key === undefined
        ? areOnlyChecks(one.pipes) && !isTransformed(one.type, key)
        : one.pipes.length === 0,
    )
  );
}

/** Whether only objects, or lists of them, fit. */
function hasObjects(part: JsonSchema, root: JsonSchema, depth = 0): boolean {
  const { type, items } = resolveRef(part, root);
  const types = typesOf(type);
  if (types.length === 0 || types.includes('string')) return false;
  if (types.includes('object')) return true;
  // A list may be one of itself.
  return typeof items === 'object' && depth < MAX_DEPTH && hasObjects(items, root, depth + 1);
}
