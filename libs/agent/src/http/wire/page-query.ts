import { requestError } from '../errors';
import { queryOf } from './node-http';

/** The page of a list in one answer. */
interface Page {
  readonly limit: number;
  readonly offset: number;
}

export const DEFAULT_LIMIT = 50;
export const MAX_LIMIT = 200;

const DIGITS = /^\d{1,15}$/;

/**
 * The requested page, `?limit=50&offset=0` by default.
 *
 * @throws HttpException 400 if a value is not a whole number in its range, or is given twice
 */
export function pageOf(request: unknown): Page {
  const values = queryOf(request);
  const limit = numberOf(values.getAll('limit'), DEFAULT_LIMIT);
  const offset = numberOf(values.getAll('offset'), 0);
  const problems = [
    ...(limit >= 1 && limit <= MAX_LIMIT
      ? []
      : [`limit must be a whole number from 1 to ${MAX_LIMIT}`]),
    ...(offset >= 0 ? [] : ['offset must be a whole number, 0 or more']),
  ];
  if (problems.length > 0) throw requestError(400, 'invalid_request', problems);
  return { limit, offset };
}

/**
 * The requested page of a list in reading order, counted from its end; the whole list by default.
 *
 * @throws HttpException 400 as `pageOf`
 */
export function endPageOf(request: unknown): <T>(items: readonly T[]) => readonly T[] {
  const values = queryOf(request);
  if (!values.has('limit') && !values.has('offset')) return (items) => items;
  const { limit, offset } = pageOf(request);
  return (items) => {
    const end = Math.max(0, items.length - offset);
    return items.slice(Math.max(0, end - limit), end);
  };
}

/** `NaN` if the text is not a whole number. */
function numberOf([text, ...more]: readonly string[], fallback: number): number {
  if (text === undefined) return fallback;
  return more.length === 0 && DIGITS.test(text) ? Number(text) : NaN;
}
