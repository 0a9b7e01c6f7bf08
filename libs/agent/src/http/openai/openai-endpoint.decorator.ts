import { Catch, Injectable, UseFilters } from '@nestjs/common';
import { DocumentedEndpoint, type EndpointDocumentation, OpenAiErrorDto } from '../answers';
import { type EndpointDecorator, ProtocolErrorFilter } from '../endpoint';
import { TakenResponse } from '../wire';
import { openAiFailureOf } from './openai-error';

/**
 * As `DocumentedEndpoint`, with every error in OpenAI's envelope, including errors of the
 * application's guards.
 */
export function OpenAiEndpoint(documentation: EndpointDocumentation): EndpointDecorator {
  const serve = DocumentedEndpoint(
    { ...documentation, error: OpenAiErrorDto },
    { failureOf: openAiFailureOf },
  );
  const filter = UseFilters(OpenAiErrorFilter);
  return (prototype, name, descriptor) => {
    serve(prototype, name, descriptor);
    filter(prototype, name, descriptor);
  };
}

@Catch()
@Injectable()
class OpenAiErrorFilter extends ProtocolErrorFilter {
  protected answer(error: unknown, request: unknown, response: unknown): void {
    const { status, headers, body } = openAiFailureOf(error);
    new TakenResponse(request, response).json(status, body, headers);
  }
}
