import { isJsonObject, type JsonObject } from '../../../message';
import type { ModelEvent } from '../../chat-model';
import { textIn } from '../../stream';
import type { OpenAiContentPart, OpenAiDelta } from './openai-chunk';

/** The fields in which services send thoughts as text; the last is Copilot's. */
export const THOUGHT_FIELDS = ['reasoning_content', 'reasoning', 'reasoning_text'] as const;

/**
 * The data to send back with a thought to the service that wrote it: the text in its `field`, or as
 * a `part` of the content, and `fields` of the message, unchanged.
 */
export type OpenAiThoughtData = {
  readonly field?: string;
  readonly part?: JsonObject;
  readonly fields?: JsonObject;
};

/** Reads a model's thoughts, and keeps the data to send back to its service. */
export class OpenAiThoughts {
  /** The data to send back with the open thought; `undefined` if none is open. */
  private open: OpenAiThoughtData | undefined;
  private readonly details: JsonObject[] = [];
  private readonly blocks: JsonObject[] = [];
  /** The text of Claude's thought that has no signature yet. */
  private unsigned = '';
  private extra: JsonObject | undefined;
  /** Copilot's data about its thoughts. */
  private opaque = '';

  /** @param provider the service that wrote the thoughts, see `ProviderData` */
  constructor(private readonly provider: string) {}

  read(delta: OpenAiDelta, events: ModelEvent[]): void {
    const field = THOUGHT_FIELDS.find((name) => isText(delta[name]));
    if (field !== undefined) this.say(delta[field] ?? '', { field }, events);
    this.opaque = textIn(delta.reasoning_opaque) || this.opaque;
    if (delta.reasoning_details) {
      const known = this.details.length;
      for (const detail of delta.reasoning_details) {
        if (isJsonObject(detail)) this.keep(detail, known);
      }
    }
    if (Array.isArray(delta.thinking_blocks)) {
      for (const block of delta.thinking_blocks) if (isJsonObject(block)) this.keepBlock(block);
    }
  }

  /** Takes data that came without text. */
  keepExtra(extra: JsonObject): void {
    this.extra = extra;
  }

  /** Reads Mistral's and Databricks' thoughts, which are parts of the answer's content. */
  readPart({ thinking, summary, ...part }: OpenAiContentPart, events: ModelEvent[]): void {
    const isSentBack = thinking !== undefined;
    const said = wordsIn(thinking ?? summary);
    if (said === '' && !(isSentBack && this.open !== undefined)) return;
    this.say(said, isSentBack ? { part: { ...part } } : {}, events);
  }

  /** Closes the thought: something else follows. */
  close(events: ModelEvent[]): void {
    const { open } = this;
    this.open = undefined;
    if (open !== undefined && Object.keys(open).length > 0) this.end(open, events);
  }

  /** The events at the end of the answer. */
  finish(): readonly ModelEvent[] {
    const events: ModelEvent[] = [];
    const fields = {
      ...(this.details.length > 0 && { reasoning_details: this.details }),
      ...(this.blocks.length > 0 && { thinking_blocks: this.blocks }),
      ...(this.extra && { extra_content: this.extra }),
      ...(this.opaque !== '' && { reasoning_opaque: this.opaque }),
    };
    if (Object.keys(fields).length > 0) this.end({ ...this.open, fields }, events);
    else this.close(events);
    return events;
  }

  private say(delta: string, data: OpenAiThoughtData, events: ModelEvent[]): void {
    if (this.open?.field !== data.field) this.close(events);
    this.open = data;
    if (delta !== '') events.push({ type: 'reasoning.delta', delta });
  }

  private end(data: OpenAiThoughtData, events: ModelEvent[]): void {
    events.push({ type: 'reasoning.end', providerData: { [this.provider]: data } });
  }

  /**
   * A stream sends a thought in pieces, then its signature, in some versions with the whole text
   * again. Claude takes back no thought without a signature.
   */
  private keepBlock({ signature, ...block }: JsonObject): void {
    if (block.type !== 'thinking') this.blocks.push(block);
    else {
      const text = isText(block.thinking) ? block.thinking : '';
      const isWhole = isText(signature) && text.startsWith(this.unsigned);
      this.unsigned = isWhole ? text : this.unsigned + text;
      if (!isText(signature)) return;
      this.blocks.push({ ...block, thinking: this.unsigned, signature });
      this.unsigned = '';
    }
  }

  /** A stream sends one detail in pieces, each in its own chunk. */
  private keep(detail: JsonObject, known: number): void {
    const last = this.details.length === known ? this.details.at(-1) : undefined;
    const isPiece = last && last.type === detail.type && last.index === detail.index;
    if (!isPiece || (isText(last.id) && isText(detail.id) && last.id !== detail.id)) {
      this.details.push(detail);
      return;
    }
    const joined = (name: string) =>
      isText(last[name]) && isText(detail[name]) ? { [name]: last[name] + detail[name] } : {};
    const given = Object.entries(detail).filter(([, value]) => value !== null && value !== '');
    this.details[this.details.length - 1] = {
      ...last,
      ...Object.fromEntries(given),
      ...joined('text'),
      ...joined('summary'),
      ...joined('data'),
    };
  }
}

/** The thought in a field of its own. */
export function thoughtIn(delta: OpenAiDelta): string | undefined {
  for (const name of THOUGHT_FIELDS) {
    const said = delta[name];
    if (isText(said)) return said;
  }
  return undefined;
}

/** A text, or the texts of a list of parts. */
function wordsIn(said: unknown): string {
  if (!Array.isArray(said)) return textIn(said);
  return said.map((part: unknown) => (isJsonObject(part) ? textIn(part.text) : '')).join('');
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
