import type { ModelError } from '../../model-error';
import { keepReported } from './failure-log';
import { loggableWords, secretsIn } from './loggable-words';
import type { AnswerResponse } from '../model-fetch';

type Address = Parameters<typeof fetch>[0];

/** The request of an answer. SDKs pass the response on unchanged. */
interface Origin {
  readonly address: Address;
  readonly sent: RequestInit['headers'];
}

const origins = new WeakMap<AnswerResponse, Origin>();

export function keepOrigin(
  answer: AnswerResponse,
  address: Address,
  sent: RequestInit['headers'],
): void {
  origins.set(answer, { address, sent });
}

/** Keeps for the log the provider's words about an error that it reported within its answer. */
export function keepErrorIn(answer: AnswerResponse, error: ModelError): void {
  const said = error.cause;
  // Other errors are not the provider's: their messages may quote the conversation.
  if (said === undefined || said instanceof Error) return;
  const { address, sent } = origins.get(answer) ?? { address: '', sent: [] };
  keepReported(error, address, loggableWords(said, secretsIn(new Headers(sent))));
}
