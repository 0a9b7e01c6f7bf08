import { pathParametersOf, type PathToken } from '../../../discovery';
import { pointer } from '../../../schema';
import type { ArgumentIssue } from '../../../tool';

/** A path parameter's value, with the argument's name. */
export interface PathValue {
  readonly name: string;
  readonly value: string;
}

/** Dot segments in any encoding. */
const DOTS = /^(?:\.|%2e){1,2}$/i;

/** A piece of a path with its value; a gap is an omitted group. */
type Piece =
  | { readonly type: 'text'; readonly value: string }
  | { readonly type: 'value'; readonly given: PathValue; readonly isWildcard: boolean }
  | { readonly type: 'gap'; readonly tokens: readonly PathToken[] };

/**
 * Fills a path with values. A value cannot leave its segment, a wildcard cannot leave its prefix;
 * other values are issues.
 */
export function fillPath(
  tokens: readonly PathToken[],
  valueOf: (parameter: string) => PathValue | undefined,
  issues: ArgumentIssue[],
): string {
  return new PathFilling(valueOf, issues).fill(tokens);
}

class PathFilling {
  constructor(
    private readonly valueOf: (parameter: string) => PathValue | undefined,
    private readonly issues: ArgumentIssue[],
  ) {}

  fill(tokens: readonly PathToken[]): string {
    const pieces = this.piecesOf(tokens);
    const path = pieces.map((piece, at) => this.textOf(piece, isAlone(pieces, at))).join('');
    if (path.split('/').some((segment) => DOTS.test(segment))) {
      for (const value of pieces.flatMap(dotsOf)) {
        this.refuse(value, 'must not have "." or ".." as a path segment');
      }
    }
    return path;
  }

  /** A group is included if all its parameters have values. */
  private piecesOf(tokens: readonly PathToken[]): readonly Piece[] {
    return tokens.flatMap((token): readonly Piece[] => {
      if (token.type === 'text') return [token];
      if (token.type !== 'group') {
        const given = this.valueOf(token.name);
        // The path would belong to another route.
        if (!given) this.refuse({ name: token.name }, 'is missing');
        return given ? [{ type: 'value', given, isWildcard: token.type === 'wildcard' }] : [];
      }
      const parameters = pathParametersOf(token.tokens);
      const missing = parameters.find(({ name, isOptional }) => !isOptional && !this.valueOf(name));
      if (!missing) return this.piecesOf(token.tokens);
      for (const value of parameters.flatMap(({ name }) => this.valueOf(name) ?? [])) {
        this.refuse(value, `is in the path only together with "${missing.name}"`);
      }
      return [{ type: 'gap', tokens: token.tokens }];
    });
  }

  private textOf(piece: Piece, isWholeSegment: boolean): string {
    if (piece.type === 'text') return encodeText(piece.value);
    if (piece.type === 'gap') return '';
    const { given, isWildcard } = piece;
    if (!isWildcard) return this.encodeSegment(given, given.value, isWholeSegment);
    const segments = given.value.split('/');
    return segments.map((segment) => this.encodeSegment(given, segment, true)).join('/');
  }

  private encodeSegment(value: PathValue, segment: string, isWhole: boolean): string {
    if (value.value === '') return this.refuse(value, 'must not be empty');
    if (segment === '') return this.refuse(value, 'must not have an empty path segment');
    try {
      const encoded = encodeURIComponent(segment);
      // A value must not be confused with adjacent text.
      return isWhole ? encoded : encoded.replace(/[-._~!'()*]/g, percentEncoded);
    } catch {
      return this.refuse(value, 'must be valid Unicode');
    }
  }

  /** @returns nothing, in place of the value */
  private refuse({ name }: Pick<PathValue, 'name'>, message: string): string {
    this.issues.push({ path: pointer('', name), message });
    return '';
  }
}

/** Whether a piece is a whole segment, with or without its neighbouring groups. */
function isAlone(pieces: readonly Piece[], at: number): boolean {
  return isBorder(pieces, at, -1) && isBorder(pieces, at, 1);
}

function isBorder(pieces: readonly Piece[], at: number, step: -1 | 1): boolean {
  const beside = pieces[at + step];
  if (!beside) return true;
  if (beside.type !== 'gap') return isSlash(beside, step);
  const nearest = beside.tokens.at(step === 1 ? 0 : -1);
  return isSlash(nearest, step) && isBorder(pieces, at + step, step);
}

function isSlash(token: PathToken | Piece | undefined, step: -1 | 1): boolean {
  if (token?.type !== 'text') return false;
  return step === 1 ? token.value.startsWith('/') : token.value.endsWith('/');
}

/** The value of a piece that may form a dot segment. */
function dotsOf(piece: Piece): readonly PathValue[] {
  if (piece.type !== 'value') return [];
  const { given, isWildcard } = piece;
  const segments = isWildcard ? given.value.split('/') : [given.value];
  return segments.some((segment) => DOTS.test(segment)) ? [given] : [];
}

function percentEncoded(char: string): string {
  return `%${char.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** Encoded text of the declaration stays unchanged. */
function encodeText(text: string): string {
  return encodeURI(text).replaceAll('%25', '%').replace(/[?#]/g, percentEncoded);
}
