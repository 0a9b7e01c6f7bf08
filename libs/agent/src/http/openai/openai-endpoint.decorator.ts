import { UseFilters } from '@nestjs/common';
import { Endpoint, type EndpointDecorator } from '../endpoint';
import { openAiFailureOf } from './openai-error';
import { OpenAiErrorFilter } from './openai-error.filter';

/**
 * As `Endpoint`, with every error in OpenAI's envelope, including errors of the application's
 * guards.
 */
export function OpenAiEndpoint(): EndpointDecorator {
  const serve = Endpoint({ failureOf: openAiFailureOf });
  const word = UseFilters(OpenAiErrorFilter);
  return (prototype, name, descriptor) => {
    serve(prototype, name, descriptor);
    word(prototype, name, descriptor);
  };
}
