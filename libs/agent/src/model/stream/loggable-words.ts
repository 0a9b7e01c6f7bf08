const MOST_CHARS = 300;
/** The parts of a request that hold no secret. */
const OPEN_HEADERS =
  /^(?:accept|content-.*|user-agent|anthropic-(?:version|beta)|x-stainless-.*)$/i;
/** So many characters that are a secret's too are no accident; nothing shorter is kept secret. */
const TELLING_CHARS = 6;
/** What credentials and addresses begin with, which is no secret. */
const SCHEME = /^(?:(?:bearer|basic|token)\s+|[a-z][a-z\d+.-]*:\/\/)/i;
/** A path, such as that of a file with a key: what it shares with another one are folders. */
const PATH = /^(?:~|\.{0,2}|[a-z]:)[\\/]/i;
/** Spaces, line breaks and signs that are not seen. */
const BETWEEN_WORDS = /[\s\p{C}]+/u;

type NamedValues = Iterable<readonly [name: string, value: string | undefined]>;

/** The values of a request's secret headers. */
export function secretsIn(sent: NamedValues): readonly string[] {
  return [...sent].flatMap(([name, value = '']) => (OPEN_HEADERS.test(name) ? [] : value));
}

/**
 * A provider's words about a refused request, for the application's log: short, on one line, and
 * without a word that quotes a secret, in whole or in part.
 *
 * @param isSecret whether a word is left out that quotes none of them
 */
export function loggableWords(
  said: unknown,
  secrets: readonly string[],
  isSecret: (word: string) => boolean = () => false,
): string {
  const words = firstWords(textOf(said));
  // Spaces do not count: a secret may have some, or be broken by them.
  const places = quotedPlaces(words.join(''), secrets);
  let end = 0;
  return words
    .map((word) => {
      const start = end;
      end += word.length;
      const quotes = places.slice(start, end).includes(true);
      return quotes || isSecret(word) ? '[redacted]' : word;
    })
    .join(' ')
    .trim()
    .slice(0, MOST_CHARS);
}

function textOf(said: unknown): string {
  const { message = said } = (said ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(message);
}

/** Whole words, for a part of one no longer looks like a secret. */
function firstWords(text: string): readonly string[] {
  const words = text.slice(0, 2 * MOST_CHARS).split(BETWEEN_WORDS);
  const isCut = text.length > 2 * MOST_CHARS;
  return isCut && words.length > 1 ? words.slice(0, -1) : words;
}

/** Which characters of a text are those of a secret. */
function quotedPlaces(text: string, secrets: readonly string[]): readonly boolean[] {
  const places = new Array<boolean>(text.length).fill(false);
  for (const value of secrets) {
    const secret = value.trim().replace(SCHEME, '').split(BETWEEN_WORDS).join('');
    const least = PATH.test(secret) ? Math.max(secret.length, TELLING_CHARS) : TELLING_CHARS;
    for (let at = 0; at + least <= text.length; at += 1) {
      if (secret.includes(text.slice(at, at + least))) places.fill(true, at, at + least);
    }
  }
  return places;
}
