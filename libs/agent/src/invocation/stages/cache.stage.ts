import { LRUCache } from 'lru-cache';
import { ToolResult } from '../../tool';
import { canonicalJson, getOrAdd } from '../../internal';
import { type Execution, LiveToolContext, jsonText } from '../call';
import type { Stage } from './stage.interface';
import type { ResultContent } from '../../message';

/** The maximum number of cached results; the least recently used is dropped. */
const ENTRIES = 1_000;
/** Their maximum total size, in characters of JSON. */
const MAX_CHARS = 64 * 1_048_576;

/**
 * Caches results of read-only tools with `cacheTtlMs`, by caller, arguments and the call's own
 * context. Anonymous callers have no cache, errors are not cached, and each hit is authorized by the
 * tool again.
 */
export function cacheStage(timeout: Stage): Stage {
  const answers = new LRUCache<string, KeptAnswer>({
    max: ENTRIES,
    maxSize: MAX_CHARS,
    sizeCalculation: ({ chars }, key) => chars + key.length,
    // Reads the clock instead of keeping a timer.
    ttlResolution: 0,
    // Looked up at each call, for fake clocks.
    perf: { now: () => performance.now() },
  });

  // Keyed by the object: another run may have a different tool of the same name, or an instance of
  // the same class that stands for another tenant.
  const ids = new WeakMap<object, number>();
  let lastId = 0;
  const idOf = (object: object): number => getOrAdd(ids, object, () => (lastId += 1));

  return async (execution, signal, next) => {
    const { tool, call, callContext, response } = execution;
    const ttlMs = tool.cacheTtlMs ?? 0;
    const { principal, request, context = [] } = callContext;
    const isKept = ttlMs > 0 && tool.traits.readOnly && tool.answer === undefined;
    if (!isKept || principal === undefined) return next(signal);
    const scope = tool.cacheScope?.(request) ?? '';
    const key = canonicalJson([principal, idOf(tool), call.input, scope, context.map(idOf)]);
    const hit = answers.get(key);
    if (hit !== undefined) {
      await timeout(execution, signal, (inTime) => authorize(execution, inTime));
      response.logs.push('Answered from the cache.');
      return hit.make();
    }
    const value = await next(signal);
    if (isFailure(value)) return value;
    const answer = keptAnswer(value);
    answers.set(key, answer, { ttl: ttlMs });
    return answer.make();
  };
}

/** Whether the tool authorizes this caller. */
async function authorize(execution: Execution, signal: AbortSignal | undefined): Promise<void> {
  const { tool, call, callContext, args } = execution;
  const context = new LiveToolContext(call, signal, callContext);
  await tool.authorize?.(execution.invocation(context, args));
}

function isFailure(value: unknown): boolean {
  return value instanceof Error || (value instanceof ToolResult && value.isError);
}

/** A cached result. */
interface KeptAnswer {
  /** Its size. */
  readonly chars: number;
  /** Creates a new copy. */
  readonly make: () => unknown;
}

/**
 * Stores a result as JSON in the model's form, so that calls share no objects and the first call
 * gets the same as later ones.
 */
function keptAnswer(value: unknown): KeptAnswer {
  if (value === undefined) return { chars: 0, make: () => undefined };
  if (value instanceof ToolResult) {
    const { chars, make } = keptAnswer(value.content);
    return { chars, make: () => new ToolResult(make() as ResultContent, value.isError) };
  }
  const text = jsonText(value);
  return { chars: text.length, make: () => JSON.parse(text) as unknown };
}
