import { type AgentEvent, type Usage, usageSince } from '../../message';
import type { ChatResult } from '../../run';
import { secondsNow } from '../openai';
import type { RunEncoder } from '../sse';
import {
  endOf,
  failureOf,
  type ResponseEnd,
  type ResponseHead,
  responseObject,
} from './response-object';
import { type OutputOptions, type ResponseEvent, ResponseOutput } from './response-output';

interface EncoderOptions extends OutputOptions {
  readonly head: ResponseHead;
  /** The usage of the run before this response. */
  readonly before: Usage;
}

/** The event that ends a stream; OpenAI has none of its own for a cancelled response. */
const LAST = {
  completed: 'response.completed',
  incomplete: 'response.incomplete',
  cancelled: 'response.incomplete',
  failed: 'response.failed',
  in_progress: 'response.in_progress',
  queued: 'response.queued',
} as const;

/**
 * One part of a run as a response: its items as they come, and the whole of it at the end.
 *
 * @see https://platform.openai.com/docs/api-reference/responses-streaming
 */
export class ResponsesEncoder implements RunEncoder {
  private readonly output: ResponseOutput;
  /** The next event's; two begin the stream. */
  private number = 2;

  constructor(private readonly options: EncoderOptions) {
    this.output = new ResponseOutput(options);
  }

  /** The first frames of `encode` may be made before these, which are sent before them. */
  open(): string {
    const { head } = this.options;
    const response = responseObject(head, { status: 'in_progress' }, { output: [] });
    return ['response.created', 'response.in_progress']
      .map((type, number) => frameOf({ type, response }, number))
      .join('');
  }

  encode(event: AgentEvent): string {
    return this.framed(this.output.take(event));
  }

  close(result: ChatResult): string {
    const end = endOf(result.status, result.stopReason, failureOf(result));
    const response = this.response(end, result);
    return `${this.framed([{ type: LAST[end.status], response }])}data: [DONE]\n\n`;
  }

  /** The whole response, if it is not streamed; `encode` has received every event before. */
  whole(result: ChatResult): object {
    return this.response(endOf(result.status, result.stopReason), result);
  }

  private response(end: ResponseEnd, result: ChatResult): object {
    const { head, before } = this.options;
    return responseObject(head, end, {
      output: this.output.items,
      completedAt: secondsNow(),
      usage: usageSince(before, result.usage),
    });
  }

  private framed(events: readonly ResponseEvent[]): string {
    return events.map((event) => frameOf(event, this.number++)).join('');
  }
}

/** Writes the number first: copying the event to append it would double the time of a frame. */
function frameOf(event: ResponseEvent, sequence_number: number): string {
  return `event: ${event.type}\ndata: ${JSON.stringify({ sequence_number, ...event })}\n\n`;
}
