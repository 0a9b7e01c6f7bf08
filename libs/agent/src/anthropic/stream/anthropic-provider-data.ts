import { isJsonObject, type JsonObject, type JsonValue, type ProviderData } from '../../message';
import type { WholeBlock } from './anthropic-block';

/** The name by which Anthropic's data is known to be its own. */
const OWNER = 'anthropic';

/** Data that goes back to Anthropic with a thought, or in place of a block of its own kind. */
export type ThoughtData =
  { readonly signature: string } | { readonly redacted: string } | { readonly block: WholeBlock };

/** The provider's data of a call: which of its own tools made it, and in which container. */
export interface CallData {
  readonly caller?: JsonObject;
  readonly container?: string;
}

/** Its own tools' calls and results, as they came. */
export interface ProviderToolData {
  readonly blocks: readonly WholeBlock[];
}

/** Where a text is from. */
export interface TextData {
  readonly citations: readonly JsonObject[];
}

export function providerData(
  data: ThoughtData | CallData | ProviderToolData | TextData,
): ProviderData {
  return { [OWNER]: data as JsonValue };
}

/** Anthropic's data; `undefined` where another provider gave it. */
export function ownData(data: ProviderData | undefined): JsonObject | undefined {
  const own = data?.[OWNER];
  return isJsonObject(own) ? own : undefined;
}

/** A block as it came. */
export function isWholeBlock(value: unknown): value is WholeBlock {
  return isJsonObject(value) && typeof value['type'] === 'string';
}
