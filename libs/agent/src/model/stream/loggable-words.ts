const MOST_CHARS = 300;
/** The parts of a request that hold no secret. */
const OPEN_HEADERS = /^(?:accept|content-.*|user-agent|anthropic-(?:version|beta)|x-stainless-.*)$/;
/** So many characters that are a secret's too are no accident; nothing shorter is kept secret. */
const TELLING_CHARS = 6;

/** The values of a request's secret headers. */
export function secretsIn(sent: Headers): readonly string[] {
  return [...sent].flatMap(([name, value]) => (OPEN_HEADERS.test(name) ? [] : value));
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
  const isTelling = (word: string): boolean =>
    isSecret(word) || secrets.some((secret) => quotes(word, secret));
  return textOf(said)
    .slice(0, 2 * MOST_CHARS)
    .split(/[\s\p{C}]+/u)
    .map((word) => (isTelling(word) ? '[redacted]' : word))
    .join(' ')
    .trim()
    .slice(0, MOST_CHARS);
}

function textOf(said: unknown): string {
  const { message = said } = (said ?? {}) as { readonly message?: unknown };
  return typeof message === 'string' ? message : JSON.stringify(message);
}

function quotes(word: string, secret: string): boolean {
  for (let at = 0; at + TELLING_CHARS <= word.length; at += 1) {
    if (secret.includes(word.slice(at, at + TELLING_CHARS))) return true;
  }
  return false;
}
