import { isJsonObject, type JsonObject, type Message } from '../../message';
import type { ModelEvent } from '../chat-model';
import type { OpenAiDelta } from './stream';

/**
 * Google's signature of the thoughts behind a text, in `extra_content`, which must be sent back.
 */
export class OpenAiTextExtra {
  private extra: JsonObject | undefined;
  private isInText = false;

  /** @param provider the service that gets it back, see `ProviderData` */
  constructor(private readonly provider: string) {}

  /** Keeps data sent with a piece of text or alone after one; `false` if there was none. */
  keep(extra: JsonObject, { content }: OpenAiDelta, saysNothing: boolean): boolean {
    const hasText = content !== undefined && content !== null && content.length > 0;
    const isText = hasText || (this.isInText && saysNothing);
    if (isText) this.extra = extra;
    return isText;
  }

  /** The events of an answer, with the kept data behind its text. */
  placed(events: readonly ModelEvent[]): readonly ModelEvent[] {
    if (this.extra === undefined) {
      const last = events.at(-1);
      if (last !== undefined) this.isInText = last.type === 'text.delta';
      return events;
    }
    return events.flatMap((event): readonly ModelEvent[] => {
      const isText = event.type === 'text.delta';
      const isBehind = !isText && (this.isInText || event.type === 'finish');
      this.isInText = isText;
      if (!isBehind || this.extra === undefined) return [event];
      const providerData = { [this.provider]: { extra_content: this.extra } };
      this.extra = undefined;
      return [{ type: 'text.end', providerData }, event];
    });
  }
}

/**
 * The data of a piece. The mark of a thought is dropped: sent back, it would turn the answer into
 * a thought.
 */
export function extraIn({ extra_content: extra }: OpenAiDelta): JsonObject | undefined {
  if (!isJsonObject(extra)) return undefined;
  const { google, ...others } = extra;
  const isMark = isJsonObject(google) && Object.keys(google).join() === 'thought';
  return isMark && Object.keys(others).length === 0 ? undefined : extra;
}

/** The data to send back: a message has one field for it. */
export function textExtra({ content }: Message, provider: string): JsonObject {
  const extras = content.flatMap((block) => {
    const own = block.type === 'text' ? block.providerData?.[provider] : undefined;
    return isJsonObject(own) && isJsonObject(own.extra_content) ? [own.extra_content] : [];
  });
  const last = extras.at(-1);
  return last === undefined ? {} : { extra_content: last };
}
