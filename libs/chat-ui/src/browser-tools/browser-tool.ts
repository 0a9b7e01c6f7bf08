import type { JsonObject, ToolDefinition } from '../wire/protocol';

/** What a browser tool may learn of its call. */
export interface BrowserToolContext {
  readonly callId: string;
  readonly sessionId: string;
  /** Aborted when the run is stopped, or the time for a result is over. */
  readonly signal: AbortSignal;
}

/**
 * A tool that runs in the user's page.
 *
 * @example
 * chat.registerTool({
 *   name: 'open_order',
 *   description: 'Open an order on the screen',
 *   input_schema: { type: 'object', properties: { id: { type: 'number' } }, required: ['id'] },
 *   run: ({ id }) => router.open(`/orders/${id}`),
 * });
 */
export interface BrowserTool<Input extends object = JsonObject> {
  /** 1 to 64 letters, digits or underscores; no tool of the server has it. */
  readonly name: string;
  /** What it is for; the model reads it. */
  readonly description: string;
  /** JSON Schema of the arguments, an object. */
  readonly input_schema: ToolDefinition['input_schema'];
  /** Answers what JSON can say. What it throws becomes an error that the model reads. */
  readonly run: (input: Input, context: BrowserToolContext) => unknown;
}

export type BrowserToolName = 'get_page_info' | 'show_notification' | 'set_theme' | 'draw_svg';
