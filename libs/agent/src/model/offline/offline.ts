import type { ChatModel } from '../chat-model';

/**
 * Options of `offline()`.
 *
 * @example
 * const options: OfflineOptions = { deltaDelayMs: 40 };
 */
export interface OfflineOptions {
  /** Milliseconds between two pieces of text, to make streaming visible; 0 by default. */
  readonly deltaDelayMs?: number;
}

/**
 * A deterministic stand-in for a language model, for demos and tests without a key or a network. It
 * ranks the tools by the user's words, fills arguments from them, asks for missing ones and puts
 * the results into words. It is a `ChatModel` like any other and tells the user that it is a
 * stand-in.
 *
 * @param options all of them have a default
 * @example
 * AgentModule.forRoot({ model: offline() });
 */
export function offline(options: OfflineOptions = {}): ChatModel {
  const { OfflineModel } = require('./offline.model') as typeof import('./offline.model');
  return new OfflineModel(options);
}
