import { LRUCache } from 'lru-cache';
import { ToolResult, type Tool } from '../../tool';
import { canonicalJson } from '../canonical-json';
import type { Execution } from '../call/execution';
import { LiveToolContext } from '../call/live-tool-context';
import type { NextStage, Stage } from './stage.interface';
import { untilAborted } from './until-aborted';

/** Results kept over all callers; the longest unused goes first. */
const ENTRIES = 1_000;

/**
 * Answers a read-only tool that allows it (`cacheTtlMs`) from an earlier result of the same caller
 * with the same arguments. Who nobody knows gets nothing from it, errors are not kept, and on a
 * hit the tool is asked once more whether this caller may.
 */
export class CacheStage implements Stage {
  // A box, since a tool may answer `undefined`.
  private readonly results = new LRUCache<string, { readonly value: unknown }>({
    max: ENTRIES,
    // Asks the clock at each look instead of keeping a timer.
    ttlResolution: 0,
    // Looked up at each call, so that a test's clock counts.
    perf: { now: () => performance.now() },
  });

  // By the tool itself, for another one may have its name in another run or later on.
  private readonly ids = new WeakMap<Tool, number>();
  private lastId = 0;

  async run(
    execution: Execution,
    signal: AbortSignal | undefined,
    next: NextStage,
  ): Promise<unknown> {
    const { tool, call, callContext, response } = execution;
    const ttlMs = tool.cacheTtlMs ?? 0;
    const { principal } = callContext;
    if (ttlMs <= 0 || !tool.traits.readOnly || principal === undefined) return next(signal);
    const key = canonicalJson([principal, this.idOf(tool), call.input]);
    const hit = this.results.get(key);
    if (hit !== undefined) {
      const context = new LiveToolContext(call, signal, callContext);
      const allowed = tool.authorize?.(execution.invocation(context, execution.args));
      if (allowed !== undefined) await untilAborted(allowed, signal);
      response.logs.push('Answered from the cache.');
      return hit.value;
    }
    const value = await next(signal);
    if (!(value instanceof ToolResult && value.isError)) {
      this.results.set(key, { value }, { ttl: ttlMs });
    }
    return value;
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
