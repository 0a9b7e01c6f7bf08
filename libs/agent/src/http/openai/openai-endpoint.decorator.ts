import { UseFilters } from '@nestjs/common';
import { Endpoint, type EndpointDecorator } from '../endpoint';
import { openAiFailureOf } from './openai-error';
import { OpenAiErrorFilter } from './openai-error.filter';

/** As `Endpoint`, with every failure in OpenAI's envelope, those of the application's guards too. */
export function OpenAiEndpoint(): EndpointDecorator {
  const serve = Endpoint({ failureOf: openAiFailureOf });
  const word = UseFilters(OpenAiErrorFilter);
  return (prototype, name, descriptor) => {
    serve(prototype, name, descriptor);
    word(prototype, name, descriptor);
  };
}
