import { isJsonObject, type ProviderData } from '../../message';

/**
 * A provider's fragment of a call, unchanged; everything except its index may be late or missing.
 */
export interface ToolCallFragment {
  readonly id?: unknown;
  readonly name?: unknown;
  /** JSON, or the object itself. */
  readonly arguments?: unknown;
  /** Whether the provider marks the beginning of a call. */
  readonly isFirst?: boolean;
  /** Data that goes back to the provider with the call. */
  readonly providerData?: ProviderData;
}

/** The usable parts of a fragment, empty if there are none. */
export interface FragmentPieces {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

/** vLLM and Ollama leave tokens of gpt-oss behind a name: `add<|channel|>commentary`. */
const TOKENS_BEHIND = /<\|.*/s;

export function piecesOf({ id, name, arguments: input }: ToolCallFragment): FragmentPieces {
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof name === 'string' ? name.replace(TOKENS_BEHIND, '') : '',
    text: textOf(input),
  };
}

/** An object without keys counts as no text: some servers send one before the arguments. */
function textOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (input === undefined || input === null) return '';
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  return isEmpty ? '' : JSON.stringify(input);
}
