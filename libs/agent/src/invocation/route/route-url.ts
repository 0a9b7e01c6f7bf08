import type { PathToken } from '../../discovery';
import type { ArgumentIssue } from '../../tool';

/** A value for a parameter of the path, under the name of the tool's argument. */
export interface PathValue {
  readonly name: string;
  readonly value: string;
}

/** Alone in a segment, these would lead out of it. */
const DOTS = /^\.{1,2}$/;

/**
 * Fills a path with values. Each value stays in its segment and each wildcard below its prefix,
 * whatever it holds; what cannot be said so is an issue.
 */
export function fillPath(
  tokens: readonly PathToken[],
  valueOf: (parameter: string) => PathValue | undefined,
  issues: ArgumentIssue[],
): string {
  return tokens
    .map((token, position) => {
      switch (token.type) {
        case 'text':
          return encodeText(token.value);
        case 'group':
          return isFilled(token.tokens, valueOf) ? fillPath(token.tokens, valueOf, issues) : '';
        case 'param': {
          const value = valueOf(token.name);
          if (!value) return '';
          const isAlone = isWholeSegment(tokens, position);
          return encodeSegment(value, value.value, isAlone, issues);
        }
        case 'wildcard': {
          const value = valueOf(token.name);
          if (!value) return '';
          return value.value
            .split('/')
            .map((segment) => encodeSegment(value, segment, true, issues))
            .join('/');
        }
      }
    })
    .join('');
}

function isFilled(
  tokens: readonly PathToken[],
  valueOf: (parameter: string) => PathValue | undefined,
): boolean {
  return tokens.every((token) =>
    token.type === 'param' || token.type === 'wildcard' ? valueOf(token.name) !== undefined : true,
  );
}

function isWholeSegment(tokens: readonly PathToken[], position: number): boolean {
  const before = tokens[position - 1];
  const after = tokens[position + 1];
  const startsSegment = before?.type === 'text' && before.value.endsWith('/');
  const endsSegment =
    after === undefined ||
    after.type === 'group' ||
    (after.type === 'text' && after.value.startsWith('/'));
  return startsSegment && endsSegment;
}

function encodeSegment(
  { name, value }: PathValue,
  segment: string,
  isAlone: boolean,
  issues: ArgumentIssue[],
): string {
  const refuse = (message: string) => {
    issues.push({ path: `/${name.replaceAll('~', '~0').replaceAll('/', '~1')}`, message });
    return '';
  };
  if (value === '') return refuse('must not be empty');
  if (segment === '') return refuse('must not have an empty path segment');
  if (isAlone && DOTS.test(segment)) return refuse('must not have "." or ".." as a path segment');
  try {
    const encoded = encodeURIComponent(segment);
    // Beside other text a value must not be read as that text.
    return isAlone ? encoded : encoded.replace(/[-._~!'()*]/g, percentEncoded);
  } catch {
    return refuse('must be valid Unicode');
  }
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** What an author wrote encoded stays as it is. */
function encodeText(text: string): string {
  return encodeURI(text).replaceAll('%25', '%').replace(/[?#]/g, percentEncoded);
}
