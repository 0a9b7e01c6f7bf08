import { getOrAdd, oncePer } from '../../internal';
import type { ToolCall, ToolContext } from '../../tool';
import type { PresetFunction } from './provider-options.interface';

/**
 * The cache time of a tool with presets: none if a preset is a function, because equal arguments
 * may then differ in effect.
 */
export function cacheableWith(presets: Readonly<Record<string, unknown>>): {
  readonly cacheTtlMs?: 0;
} {
  return Object.values(presets).some((preset) => typeof preset === 'function')
    ? { cacheTtlMs: 0 }
    : {};
}

/**
 * The values of one tool's presets. A function is called once per call, also for several attempts:
 * its value must not change in between.
 */
export class PresetValues {
  private readonly ofCall = oncePer((_call: ToolCall) => new Map<string, Promise<unknown>>());

  of(name: string, preset: unknown, context: ToolContext): Promise<unknown> {
    if (typeof preset !== 'function') return Promise.resolve(preset);
    const known = this.ofCall(context.call);
    return getOrAdd(known, name, () => Promise.resolve(context).then(preset as PresetFunction));
  }
}
