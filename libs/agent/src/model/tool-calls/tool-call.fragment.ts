import { isJsonObject, type ProviderData } from '../../message';

/** One provider's fragment of a call, as it came; everything but its place may be late or missing. */
export interface ToolCallFragment {
  readonly id?: unknown;
  readonly name?: unknown;
  /** JSON, or the object itself. */
  readonly arguments?: unknown;
  /** The provider says that a call begins here. */
  readonly isFirst?: boolean;
  /** Data that goes back to the provider with the call. */
  readonly providerData?: ProviderData;
}

/** The usable parts of a fragment, empty where there are none. */
export interface FragmentPieces {
  readonly id: string;
  readonly name: string;
  readonly text: string;
}

export function piecesOf({ id, name, arguments: input }: ToolCallFragment): FragmentPieces {
  return {
    id: typeof id === 'string' || typeof id === 'number' ? String(id) : '',
    name: typeof name === 'string' ? name : '',
    text: textOf(input),
  };
}

/** An object without keys says as little as no text: some servers send one before the arguments. */
function textOf(input: unknown): string {
  if (typeof input === 'string') return input;
  if (input === undefined || input === null) return '';
  const isEmpty = isJsonObject(input) && Object.keys(input).length === 0;
  return isEmpty ? '' : JSON.stringify(input);
}
