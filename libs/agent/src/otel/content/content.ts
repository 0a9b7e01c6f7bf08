import type { Attributes } from '@opentelemetry/api';
import type { JsonObject, ResultContent } from '../../message';
import type { ObservedModelCall, ObservedModelCallEnd } from '../../telemetry';
import { changedTexts, messageOf, partsOf, resultOf, type TextChange } from './message-parts';
import { CONTENT } from '../names';
import { type CapturedPlace, captureContentOf, type OtelOptions } from '../otel-options';
import { cut, lastItemsJson, shortenedJson } from './shortened-json';

const REDACTED = '[redacted]';

/** Turns text of the conversation into attributes, redacted and no longer than allowed. */
export class Content {
  /** Whether spans contain it. */
  readonly isOnSpans: boolean;
  /** Whether span events contain it. */
  readonly isInEvents: boolean;
  private readonly maxChars: number;

  constructor(private readonly options: OtelOptions) {
    const where = captureContentOf(options);
    this.isOnSpans = where === 'span' || where === 'span_and_event';
    this.isInEvents = where === 'event' || where === 'span_and_event';
    this.maxChars = options.maxContentChars ?? 8_000;
  }

  /** Whether any content is captured. */
  get isCaptured(): boolean {
    return this.isOnSpans || this.isInEvents;
  }

  ofModelCall(
    asked: ObservedModelCall['content'],
    { content: answered, response, finishReason = 'error' }: ObservedModelCallEnd,
  ): Attributes {
    const { maxChars } = this;
    const finish = response?.finishReason ?? finishReason;
    const parts = partsOf(answered?.blocks ?? [], this.changeIn('output.messages'));
    return {
      ...(asked && this.ofRequest(asked)),
      [CONTENT.output]: lastItemsJson(
        [{ role: 'assistant', parts, finish_reason: finish }],
        maxChars,
      ),
    };
  }

  ofArguments(input: JsonObject): Attributes {
    const changed = changedTexts(input, this.changeIn('tool.call.arguments'));
    return { [CONTENT.arguments]: shortenedJson(changed, this.maxChars) };
  }

  ofResult(result: ResultContent): Attributes {
    const shown = resultOf(result, this.changeIn('tool.call.result'));
    const { maxChars } = this;
    const text = typeof shown === 'string' ? cut(shown, maxChars) : shortenedJson(shown, maxChars);
    return { [CONTENT.result]: text };
  }

  private ofRequest({
    system,
    messages,
    tools,
  }: NonNullable<ObservedModelCall['content']>): Attributes {
    const { maxChars } = this;
    const changeSystem = this.changeIn('system_instructions');
    const changeMessage = this.changeIn('input.messages');
    const changeTool = this.changeIn('tool.definitions');
    const said = messages.map((message) => messageOf(message, changeMessage));
    const offered = tools.map(({ name, description, input_schema: parameters }) => ({
      type: 'function',
      name,
      description: changeTool(description),
      parameters,
    }));
    return {
      ...(system !== undefined && {
        [CONTENT.system]: lastItemsJson(
          [{ type: 'text', content: changeSystem(system) }],
          maxChars,
        ),
      }),
      [CONTENT.input]: lastItemsJson(said, maxChars),
      ...(offered.length > 0 && { [CONTENT.tools]: lastItemsJson(offered, maxChars) }),
    };
  }

  private changeIn(where: CapturedPlace): TextChange {
    const { redact } = this.options;
    if (redact === undefined) return (text) => text;
    return (text) => {
      try {
        return String(redact(text, where));
      } catch {
        return REDACTED;
      }
    };
  }
}
