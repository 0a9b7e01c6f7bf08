import { isJsonObject, type JsonObject } from '../../message';
import { invalidParams } from '../protocol';

/** The parameters of `completion/complete`. */
export interface CompletionRequest {
  readonly ref:
    | { readonly type: 'ref/prompt'; readonly name: string }
    | { readonly type: 'ref/resource'; readonly uri: string };
  readonly argument: { readonly name: string; readonly value: string };
  /** The arguments that already have a value. */
  readonly filled: Readonly<Record<string, string>>;
}

/** @throws RpcError invalid params */
export function completionRequestOf({ ref, argument, context }: JsonObject): CompletionRequest {
  if (!isJsonObject(argument)) throw invalidParams('"argument" must be an object.');
  const { name, value } = argument;
  if (typeof name !== 'string' || typeof value !== 'string') {
    throw invalidParams('"argument" wants "name" and "value", both strings.');
  }
  return { ref: refOf(ref), argument: { name, value }, filled: filledOf(context) };
}

function refOf(ref: unknown): CompletionRequest['ref'] {
  if (isJsonObject(ref)) {
    const { type, name, uri } = ref;
    if (type === 'ref/prompt' && typeof name === 'string') return { type, name };
    if (type === 'ref/resource' && typeof uri === 'string') return { type, uri };
  }
  throw invalidParams(
    '"ref" must be { type: "ref/prompt", name } or { type: "ref/resource", uri }.',
  );
}

function filledOf(context: unknown): Readonly<Record<string, string>> {
  if (context === undefined) return {};
  const filled = isJsonObject(context) ? (context['arguments'] ?? {}) : undefined;
  if (!isJsonObject(filled)) throw invalidParams('"context.arguments" must be an object.');
  const entries = Object.entries(filled).map(([name, value]) => {
    if (typeof value === 'string') return [name, value] as const;
    throw invalidParams('The values of "context.arguments" must be strings.');
  });
  return Object.fromEntries(entries);
}
