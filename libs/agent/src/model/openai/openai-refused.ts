import { isJsonObject } from '../../message';
import { ModelError } from '../model-error';
import { answerOf, errorOf, isRefusal, type AnswerResponse } from '../stream';

/** OpenAI's words, and Bedrock's. */
const NEEDS_RESPONSES =
  /\/v1\/responses|responses api|not support the '\/v1\/chat\/completions' api/i;

/**
 * An error status that is really an answer: a refused prompt, or a call of the model that did not
 * fit its schema. The decoder reads it as the error of a stream.
 */
export function answerIn(thrown: unknown): AnswerResponse | undefined {
  const error = errorOf(thrown);
  const isAnswer = isRefusal(error) || (isJsonObject(error) && error.code === 'tool_use_failed');
  return isAnswer ? answerOf(error) : undefined;
}

/**
 * The error itself, or one with the remedy if the model is not available through this API.
 */
export function explained(thrown: unknown, modelName: string): unknown {
  const error = errorOf(thrown);
  const { message } = isJsonObject(error) ? error : {};
  if (typeof message !== 'string' || !NEEDS_RESPONSES.test(message)) return thrown;
  return new ModelError(
    'model_bad_request',
    `The model ${modelName} takes this request on the Responses API alone. ` +
      "Make it with openai({ api: 'responses' }), or set reasoning.effort to 'none'.",
    { cause: thrown },
  );
}
