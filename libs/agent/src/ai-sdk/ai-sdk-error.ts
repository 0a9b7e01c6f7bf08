import { jsonIn } from '../internal';
import { ModelError } from '../model';
import { isRefusal, toModelError, withUpstreamWords } from '../model/stream';

/** The fields of the AI SDK's errors. */
export interface AiSdkError {
  readonly name?: unknown;
  readonly message?: unknown;
  readonly statusCode?: unknown;
  readonly responseHeaders?: unknown;
  readonly responseBody?: unknown;
  readonly url?: unknown;
}

/**
 * An error of a provider's package as a `ModelError`: its status, words and headers are read as
 * those of any provider.
 *
 * @see https://ai-sdk.dev/docs/reference/ai-sdk-errors
 */
export function toAiSdkError(error: unknown, modelName: string): ModelError {
  if (error instanceof ModelError) return error;
  const known = (typeof error === 'object' && error !== null ? error : {}) as AiSdkError;
  if (known.name === 'AI_LoadAPIKeyError') {
    return new ModelError(
      'model_authentication',
      `There is no API key for the model ${modelName}. Give it to the provider of the AI SDK.`,
      { cause: error },
    );
  }
  if (known.statusCode === undefined && known.responseBody === undefined) {
    return toModelError(error, modelName);
  }
  const { code, message, isRetryable, retryAfterMs } = toModelError(
    {
      status: known.statusCode,
      headers: headersOf(known.responseHeaders),
      error: providerWords(known),
    },
    modelName,
  );
  const waits = retryAfterMs === undefined ? {} : { retryAfterMs };
  return new ModelError(code, message, { cause: error, isRetryable, ...waits });
}

/** Whether an error is a provider's refusal to answer, thrown or within its answer. */
export function isAiSdkRefusal(error: unknown): boolean {
  return isRefusal(error) || isRefusal(providerWords(error ?? {}));
}

function headersOf(headers: unknown): Headers {
  const given = typeof headers === 'object' && headers !== null ? Object.entries(headers) : [];
  const texts = given.filter((entry): entry is [string, string] => typeof entry[1] === 'string');
  return new Headers(texts);
}

/** The provider's message, or the package's without a body. */
export function providerWords({ responseBody, message }: AiSdkError): object {
  return bodyOf(responseBody) ?? { message };
}

/** The error that a body contains, or the body itself if it is the error. */
function bodyOf(body: unknown): object | undefined {
  if (typeof body !== 'string' || body === '') return undefined;
  const [value] = [jsonIn(body)].flat() as readonly unknown[];
  if (typeof value !== 'object' || value === null) return { message: body };
  const { error } = value as { readonly error?: unknown };
  return withUpstreamWords(typeof error === 'object' && error !== null ? error : value) as object;
}
