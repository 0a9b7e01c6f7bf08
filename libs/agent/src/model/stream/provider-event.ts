import type { FinishReason, Usage } from '../../message';
import type { ObservedResponse } from '../../telemetry';
import type { ModelEvent } from '../chat-model';
import { ModelError } from '../model-error';

/**
 * An event as a provider sent it; its fields may be missing, or of any type.
 *
 * @typeParam Event an interface whose fields are all optional
 * @throws ModelError if it is not JSON
 */
export function eventIn<Event extends object>(data: string, modelName: string): Event {
  // Gateways that know only Chat Completions end every stream this way.
  if (data.trim() === '[DONE]') return {} as Event;
  try {
    const parsed: unknown = JSON.parse(data);
    // Google's endpoints put an error in a list.
    const event: unknown = Array.isArray(parsed) ? parsed[0] : parsed;
    return (typeof event === 'object' && event !== null ? event : {}) as Event;
  } catch (cause) {
    const said = data.startsWith('<')
      ? `The address of the model ${modelName} answers with a page. Check the base URL.`
      : `The model ${modelName} sent an event that is no JSON.`;
    throw new ModelError('model_unavailable', said, { cause });
  }
}

/** The error of an answer that ends before the model has finished it. */
export function cutOff(modelName: string): ModelError {
  return new ModelError('model_unavailable', `The answer of the model ${modelName} was cut off.`);
}

/** Whether the model was cut off, by its limit or by its provider's filter. */
export function isCut(reason: FinishReason): boolean {
  return reason === 'max_tokens' || reason === 'refusal';
}

export function finishEvent(reason: FinishReason, usage: Usage | undefined): ModelEvent {
  return { type: 'finish', reason, ...(usage && { usage }) };
}

export function textIn(value: unknown): string {
  return typeof value === 'string' ? value : '';
}

/** The provider's data about an answer, for telemetry. */
export function responseOf(id: unknown, model: unknown, finishReason: unknown): ObservedResponse {
  const fields = { id: textIn(id), model: textIn(model), finishReason: textIn(finishReason) };
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== ''));
}
