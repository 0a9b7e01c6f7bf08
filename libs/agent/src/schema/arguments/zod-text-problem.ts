import { pipeSourceOf, standardSchemaOf, type ZodInternals, type ZodSchema } from '../from-class';
import type { TextProblem } from './text-problems';

type Problem = TextProblem | 'object' | undefined;

/** Types that accept the input of another type. */
const WRAPPERS: ReadonlySet<string> = new Set([
  ...['optional', 'nonoptional', 'nullable', 'default', 'prefault', 'readonly'],
]);

/**
 * The problem of a text for a schema of zod, by its types: its checks are code of the application, which
 * is not run.
 *
 * @param source a schema, or a class or a pipe that carries one; others have no problem
 * @param name the field that gets the text; the schema itself if missing
 */
export function zodTextProblemOf(source: unknown, name?: string): Problem {
  const { _zod: zod } = (standardSchemaOf(source) ??
    pipeSourceOf(source) ??
    {}) as Partial<ZodSchema>;
  const field = zod && name !== undefined ? fieldOf(zod, name) : zod;
  return field && problemOf(field);
}

function fieldOf(zod: ZodInternals, name: string): ZodInternals | undefined {
  const { shape = {} } = sentTo(zod).def;
  return Object.hasOwn(shape, name) ? shape[name]?._zod : undefined;
}

/** The type that receives the sent value. */
function sentTo(zod: ZodInternals): ZodInternals {
  const { type, in: sent, innerType } = zod.def;
  const inner = sent ?? (WRAPPERS.has(type) ? innerType : undefined);
  return inner ? sentTo(inner._zod) : zod;
}

function problemOf(zod: ZodInternals): Problem {
  const { type, coerce, element } = sentTo(zod).def;
  switch (type) {
    case 'number':
      return coerce === true ? undefined : 'number';
    case 'boolean':
      return coerce === true ? 'false' : 'boolean';
    case 'array':
      return (element && problemOf(element._zod)) ?? 'list';
    case 'object':
    case 'record':
      return 'object';
    default:
      return undefined;
  }
}
