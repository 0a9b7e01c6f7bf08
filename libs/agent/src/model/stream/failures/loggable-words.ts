const MOST_CHARS = 300;
/** The parts of a request that contain no secrets. */
const OPEN_HEADERS =
  /^(?:accept|content-.*|user-agent|anthropic-(?:version|beta)|x-stainless-.*)$/i;
/**
 * A shared sequence of this many characters counts as a quotation of a secret; shorter ones are
 * ignored.
 */
const TELLING_CHARS = 6;
/** The prefixes of credentials and addresses, which are not secret. */
const SCHEME = /^(?:(?:bearer|basic|token)\s+|[a-z][a-z\d+.-]*:\/\/)/i;
/** A path, such as that of a key file, which may be relative: it shares folders with other paths. */
const PATH = /^(?:~|\.{0,2}|[a-z]:)[\\/]|^[\w.\\/-]+\.(?:pem|key|crt|cer|p12|pfx|json)$/i;
/** Spaces, line breaks and invisible characters. */
const BETWEEN_WORDS = /[\s\p{C}]+/u;

type NamedValues = Iterable<readonly [name: string, value: string | undefined]>;

/** The values of a request's secret headers. */
export function secretsIn(sent: NamedValues): readonly string[] {
  return [...sent].flatMap(([name, value = '']) => (OPEN_HEADERS.test(name) ? [] : value));
}

/**
 * A provider's message about a refused request, for the application's log: short, on one line, and
 * without words that quote a secret, in whole or in part.
 *
 * @param isSecret whether to leave out a word that quotes no known secret
 */
export function loggableWords(
  said: unknown,
  secrets: readonly string[],
  isSecret: (word: string) => boolean = () => false,
): string {
  const words = firstWords(textOf(said));
  // Spaces do not count: a secret may contain some, or be split by them.
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

/** Whole words, since a part of one no longer looks like a secret. */
function firstWords(text: string): readonly string[] {
  const words = text.slice(0, 2 * MOST_CHARS).split(BETWEEN_WORDS);
  const isCut = text.length > 2 * MOST_CHARS;
  return isCut && words.length > 1 ? words.slice(0, -1) : words;
}

/** Marks the characters of a text that quote a secret. */
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
