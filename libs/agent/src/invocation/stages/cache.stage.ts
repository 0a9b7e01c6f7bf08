import { LRUCache } from 'lru-cache';
import { ToolResult, type Tool } from '../../tool';
import { canonicalJson } from '../../internal';
import { type Execution, LiveToolContext } from '../call';
import { keptAnswer, type KeptAnswer } from './kept-answer';
import type { NextStage, Stage } from './stage.interface';
import type { TimeoutStage } from './timeout.stage';

/** Results kept over all callers; the longest unused goes first. */
const ENTRIES = 1_000;
/** What they may take together, in characters of JSON; a larger one is not kept at all. */
const MAX_CHARS = 64 * 1_048_576;

/**
 * Answers a read-only tool that allows it (`cacheTtlMs`) from an earlier result of the same caller
 * with the same arguments. Who nobody knows gets nothing from it, errors are not kept, and on a
 * hit the tool is asked once more whether this caller may.
 */
export class CacheStage implements Stage {
  private readonly answers = new LRUCache<string, KeptAnswer>({
    max: ENTRIES,
    maxSize: MAX_CHARS,
    sizeCalculation: ({ chars }, key) => chars + key.length,
    // Asks the clock at each look instead of keeping a timer.
    ttlResolution: 0,
    // Looked up at each call, so that a test's clock counts.
    perf: { now: () => performance.now() },
  });

  // By the tool itself, for another one may have its name in another run or later on.
  private readonly ids = new WeakMap<Tool, number>();
  private lastId = 0;

  constructor(private readonly timeout: TimeoutStage) {}

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { tool, call, callContext, response } = execution;
    const ttlMs = tool.cacheTtlMs ?? 0;
    const { principal, request } = callContext;
    const isKept = ttlMs > 0 && tool.traits.readOnly && tool.answer === undefined;
    if (!isKept || principal === undefined) return next(signal);
    const scope = tool.cacheScope?.(request) ?? '';
    const key = canonicalJson([principal, this.idOf(tool), call.input, scope]);
    const hit = this.answers.get(key);
    if (hit !== undefined) {
      await this.timeout.run(execution, signal, (inTime) => authorize(execution, inTime));
      response.logs.push('Answered from the cache.');
      return hit.make();
    }
    const value = await next(signal);
    if (isFailure(value)) return value;
    const answer = keptAnswer(value);
    this.answers.set(key, answer, { ttl: ttlMs });
    return answer.make();
  }

  private idOf(tool: Tool): number {
    let id = this.ids.get(tool);
    if (id === undefined) {
      id = this.lastId += 1;
      this.ids.set(tool, id);
    }
    return id;
  }
}

/** Asks the tool once more whether this caller may. */
async function authorize(execution: Execution, signal: AbortSignal | undefined): Promise<void> {
  const { tool, call, callContext, args } = execution;
  const context = new LiveToolContext(call, signal, callContext);
  await tool.authorize?.(execution.invocation(context, args));
}

function isFailure(value: unknown): boolean {
  return value instanceof Error || (value instanceof ToolResult && value.isError);
}
