import { escaped, type FlatToken, type PathToken, variantsOf } from './route-pattern';
import type { PathReader, PathReading } from './route-reader';

/** What decides which route Fastify's router finds for a path. */
export interface FindMyWayRules {
  readonly isCaseSensitive: boolean;
  /** The most characters that it takes for one parameter. */
  readonly maxParamLength: number;
}

/** A piece of a path that the router takes by itself: text, parameters up to a slash, or the rest. */
type Step =
  | { readonly type: 'text'; readonly value: string }
  | {
      readonly type: 'segment';
      readonly names: readonly string[];
      readonly expression?: RegExp;
      /** The text after the last parameter. */
      readonly suffix: string;
    }
  | { readonly type: 'rest'; readonly name: string };

/**
 * How Fastify's router reads the paths of a pattern, each as `findMyWayPath` makes it.
 *
 * @see https://github.com/delvedor/find-my-way
 * @throws SyntaxError where a parameter's pattern is no regular expression
 */
export function findMyWayReader(tokens: readonly PathToken[], rules: FindMyWayRules): PathReader {
  const variants = variantsOf(tokens).map(stepsOf);
  return (path) => {
    for (const steps of variants) {
      const reading = readSteps(steps, path, rules);
      if (reading) return reading;
    }
    return undefined;
  };
}

/**
 * Whether the router tries one pattern before another for a path of both: at the first difference,
 * text comes before parameters, those with an expression before those without, and wildcards last.
 * Of two expressions, that which ends in more text comes first, else that which was declared first.
 */
export function isTriedBefore(
  one: readonly PathToken[],
  other: readonly PathToken[],
  isDeclaredBefore: boolean,
): boolean {
  const [first = [], second = []] = [one, other].map((tokens) => ranksOf(variantsOf(tokens)[0]));
  const at = first.findIndex(({ key }, index) => key !== second[index]?.key);
  const [before, after] = [first[at], second[at]];
  if (!before || !after || before.rank !== after.rank) {
    return (before?.rank ?? 0) < (after?.rank ?? 0);
  }
  const [length, otherLength] = [before.suffix.length, after.suffix.length];
  return length === otherLength ? isDeclaredBefore : length > otherLength;
}

interface Rank {
  /** The lower comes first. */
  readonly rank: number;
  readonly suffix: string;
  /** What two steps that are the same have in common. */
  readonly key: string;
}

/** One for each character of text, and one for each other step. */
function ranksOf(tokens: readonly FlatToken[] = []): readonly Rank[] {
  return stepsOf(tokens).flatMap((step): readonly Rank[] => {
    if (step.type === 'text') {
      return Array.from(step.value, () => ({ rank: 0, suffix: '', key: 'text' }));
    }
    if (step.type === 'rest') return [{ rank: 3, suffix: '', key: 'rest' }];
    const { expression, suffix } = step;
    return [{ rank: expression ? 1 : 2, suffix, key: `segment ${expression?.source}` }];
  });
}

function stepsOf(tokens: readonly FlatToken[]): readonly Step[] {
  const steps: Step[] = [];
  let segment: FlatToken[] = [];
  const flush = () => {
    if (segment.length > 0) steps.push(segmentOf(segment));
    segment = [];
  };
  for (const token of tokens) {
    if (token.type === 'param') segment.push(token);
    else if (token.type === 'wildcard') {
      flush();
      steps.push({ type: 'rest', name: token.name });
    } else {
      const slash = segment.length === 0 ? 0 : token.value.indexOf('/');
      const inSegment = slash === -1 ? token.value : token.value.slice(0, slash);
      if (inSegment !== '') segment.push({ type: 'text', value: inSegment });
      if (slash === -1) continue;
      flush();
      // The router reads a path but for its "%25" decoded, and so what is declared.
      steps.push({ type: 'text', value: token.value.slice(slash).replaceAll('%', '%25') });
    }
  }
  flush();
  return steps;
}

function segmentOf(tokens: readonly FlatToken[]): Step {
  const names = tokens.flatMap((token) => (token.type === 'text' ? [] : token.name));
  const [first] = tokens;
  const isPlain = tokens.length === 1 && first?.type === 'param' && first.expression === undefined;
  if (isPlain) return { type: 'segment', names, suffix: '' };
  let [source, before, isApart] = ['', '', true];
  for (const token of tokens) {
    if (token.type === 'text') {
      before = escaped(token.value.replaceAll('%', '%25'));
      source += before;
    } else if (token.type === 'param' && token.expression !== undefined) {
      source += token.expression.replace(/^\(\^/, '(').replace(/\$\)$/, ')');
      isApart = true;
    } else {
      source += isApart ? '(.*?)' : `(${before}|(?:(?!${before}).)*)`;
      isApart = false;
    }
  }
  const last = tokens.at(-1);
  const suffix = last?.type === 'text' ? last.value : '';
  return { type: 'segment', names, expression: new RegExp(`^${source}$`), suffix };
}

function readSteps(
  steps: readonly Step[],
  path: string,
  { isCaseSensitive, maxParamLength }: FindMyWayRules,
): PathReading | undefined {
  const isText = (text: string, declared: string) =>
    text === declared || (!isCaseSensitive && text.toLowerCase() === declared.toLowerCase());
  const reading = new Map<string, string>();
  let rest = path;
  for (const step of steps) {
    if (step.type === 'rest') return reading.set(step.name, decodeURIComponent(rest));
    if (step.type === 'text') {
      const text = rest.slice(0, step.value.length);
      if (!isText(text, step.value)) return undefined;
      rest = rest.slice(text.length);
      continue;
    }
    const slash = rest.indexOf('/');
    const segment = slash === -1 ? rest : rest.slice(0, slash);
    rest = rest.slice(segment.length);
    const value = segment.includes('%') ? decodeURIComponent(segment) : segment;
    const values = step.expression ? step.expression.exec(value)?.slice(1) : [value];
    if (!values || values.some((one = '') => one.length > maxParamLength)) return undefined;
    step.names.forEach((name, at) => reading.set(name, values[at] ?? ''));
  }
  return rest === '' ? reading : undefined;
}

/**
 * A path as Fastify's router looks at it: decoded but for what would then be read as a part of the
 * URL, and for "%" itself. Nothing where it cannot be decoded.
 */
export function findMyWayPath(path: string): string | undefined {
  try {
    return decodeURI(path.replaceAll('%25', '%2525'));
  } catch {
    return undefined;
  }
}
