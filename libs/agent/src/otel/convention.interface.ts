/**
 * The values of `semconv`.
 *
 * @experimental
 */
export type SemanticConvention = 'latest' | '1.41';

/** The names in which the conventions differ. */
export interface Convention {
  /** Attributes of spans; one that a convention does not have is missing. */
  readonly attributes: {
    readonly cacheWriteTokens: string;
    readonly isCompacted?: string;
  };
  /** The duration of a model call. */
  readonly inferenceDuration: string;
  /** Of answers that are streamed; missing in a convention that has no such metrics. */
  readonly chunks?: {
    readonly timeToFirst: string;
    readonly timePerOutput: string;
  };
  /** One counter for each kind of token, or one histogram for all. */
  readonly tokens:
    | {
        readonly as: 'counters';
        readonly input: string;
        readonly output: string;
        readonly cacheRead: string;
        readonly cacheWrite: string;
        readonly reasoning: string;
      }
    | {
        readonly as: 'histogram';
        readonly usage: string;
        readonly typeAttribute: string;
      };
}
