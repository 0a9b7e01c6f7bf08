import { isJsonObject, type JsonObject, type JsonValue, type ProviderData } from '../../message';
import type { WholeBlock } from './anthropic-block';

/** The name under which Anthropic's data is stored. */
const OWNER = 'anthropic';

/** Data to send back to Anthropic with a thought, or in place of a block of its own kind. */
type ThoughtData =
  | { readonly signature: string }
  | { readonly redacted: string }
  | { readonly block: WholeBlock };

/** The provider's data of a call: the provider's tool that made it, and the container. */
export interface CallData {
  readonly caller?: JsonObject;
  readonly container?: string;
}

/** Calls and results of the provider's own tools, unchanged. */
interface ProviderToolData {
  readonly blocks: readonly WholeBlock[];
}

/** The citations of a text. */
interface TextData {
  readonly citations: readonly JsonObject[];
}

export function providerData(
  data: ThoughtData | CallData | ProviderToolData | TextData,
): ProviderData {
  return { [OWNER]: data as JsonValue };
}

/** Anthropic's data; `undefined` if it is from another provider. */
export function ownData(data: ProviderData | undefined): JsonObject | undefined {
  const own = data?.[OWNER];
  return isJsonObject(own) ? own : undefined;
}

/** Whether a value is a block of the API. */
export function isWholeBlock(value: unknown): value is WholeBlock {
  return isJsonObject(value) && typeof value['type'] === 'string';
}
