import { oncePer } from '../../internal';
import type { Message } from '../../message';
import { sizeOf } from './message-text';
import type { SessionState } from '../record';

type CountText = (text: string) => number;

/** The counts of one message. */
interface Measure {
  /** An upper bound of its tokens: a token has at least one byte. */
  readonly bound: number;
  tokens?: number;
}

/** The encoder's time grows with the square of a run of letters, blanks or signs, so long runs are split. */
const LONG_RUN = /[\p{L}\p{M}]{257}|\s{257}|[^\s\p{L}\p{M}\p{N}]{257}/u;
const PIECE = /[^]{1,128}/gu;

/**
 * Counts tokens like OpenAI's `o200k_base`, a good estimate for other models too. Counts each message
 * once. Loads the encoder's large tables at the first count.
 */
export class TokenCounter {
  private readonly measureOf = oncePer(measureOf);
  private loading: Promise<CountText> | undefined;

  /** @param load loads the encoder */
  constructor(private readonly load: () => Promise<CountText> = loadEncoder) {}

  /** The tokens of each message, in order. */
  async countEach(messages: readonly Message[]): Promise<readonly number[]> {
    const count = await this.encoder();
    return messages.map((message) => {
      const measure = this.measureOf(message);
      const { texts, fixedTokens } = sizeOf(message);
      measure.tokens ??= texts.reduce((sum, text) => sum + countSafely(count, text), fixedTokens);
      return measure.tokens;
    });
  }

  async countText(text: string): Promise<number> {
    return countSafely(await this.encoder(), text);
  }

  /**
   * The tokens of the next model call. Exact only if they may exceed the limit: below it, the cheap
   * length in bytes is enough.
   *
   * @param surroundings system prompt and tools, as text
   */
  async estimate(state: SessionState, limit: number, surroundings: () => string): Promise<number> {
    const { messages, measured } = state;
    const known = measured && measured.messages <= messages.length ? measured : undefined;
    const uncounted = known ? messages.slice(known.messages) : messages;
    const start = known?.tokens ?? 0;
    // The provider's count includes the surroundings.
    const unmeasured = known ? '' : surroundings();
    const bound = uncounted.reduce(
      (sum, message) => sum + this.measureOf(message).bound,
      start + Buffer.byteLength(unmeasured),
    );
    if (bound <= limit) return bound;
    const counts = await this.countEach(uncounted);
    return counts.reduce((sum, count) => sum + count, start + (await this.countText(unmeasured)));
  }

  private encoder(): Promise<CountText> {
    if (this.loading) return this.loading;
    const loading = this.load();
    this.loading = loading;
    loading.catch(() => (this.loading = undefined));
    return loading;
  }
}

function measureOf(message: Message): Measure {
  const { texts, fixedTokens } = sizeOf(message);
  return { bound: texts.reduce((sum, text) => sum + Buffer.byteLength(text), fixedTokens) };
}

function countSafely(count: CountText, text: string): number {
  if (!LONG_RUN.test(text)) return count(text);
  return (text.match(PIECE) ?? []).reduce((sum, piece) => sum + count(piece), 0);
}

async function loadEncoder(): Promise<CountText> {
  const { countTokens } = await import('gpt-tokenizer/encoding/o200k_base');
  // Treats marks such as <|endoftext|> as plain text instead of an error.
  const options = { disallowedSpecial: new Set<string>() };
  return (text) => countTokens(text, options);
}
