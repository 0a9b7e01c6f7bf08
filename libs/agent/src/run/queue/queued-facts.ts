import { defined } from '../../internal';
import type { JsonObject } from '../../message';
import type { ToolChoice } from '../../model';
import type { ToolDefinition } from '../../tool';

/** The data of a run's request that the journal lacks. */
export interface QueuedFacts {
  readonly toolChoice?: ToolChoice | undefined;
  readonly frontendTools?: readonly ToolDefinition[] | undefined;
  readonly frontend: 'wait' | 'park';
  readonly graceMs?: number | undefined;
  /** How often the agent has called itself through its own routes. */
  readonly depth: number;
}

/** As plain JSON: definitions come from a client's JSON. */
export function storedFacts(facts: QueuedFacts): JsonObject {
  return defined({ ...facts }) as unknown as JsonObject;
}

/** @param stored written by `storedFacts` */
export function factsOf(stored: JsonObject): QueuedFacts {
  return stored as unknown as QueuedFacts;
}
