import type { AgentEvent } from '../../message';
import type { ChatResult } from '../../run';

/**
 * One protocol's frames for one run: a new encoder for each stream. A protocol needs only an
 * encoder and a request reader; `RunResponder` opens the stream, writes at the client's pace and
 * ends it.
 *
 * @example
 * import { type RunEncoder } from 'nestjs-agent/endpoints';
 *
 * const lines: RunEncoder = {
 *   encode: (event) => (event.type === 'text.delta' ? `data: ${JSON.stringify(event.delta)}\n\n` : ''),
 *   close: () => 'data: [DONE]\n\n',
 * };
 */
export interface RunEncoder {
  /** Headers of the stream, in addition to those of every event stream. */
  readonly headers?: Readonly<Record<string, string>>;
  /**
   * Whether clients reconnect with the number of their last event. If the events of a run cannot be
   * read, such a stream ends with `retry`: the run may continue, and only stored events are sent.
   * Without it, the stream ends with the frames of a failed run.
   */
  readonly resumes?: boolean;
  /**
   * The frames that begin a stream. With this method, the stream begins with the first frame that
   * `encode` returns, or after `heartbeatMs`; a run that fails before that is answered with an HTTP
   * status. Without it, the stream begins at once.
   */
  open?(): string;
  /** The frames of an event; empty if the protocol has none for it. */
  encode(event: AgentEvent): string;
  /** The frames after the last event; not called if a stream ends before its run. */
  close?(result: ChatResult): string;
}
