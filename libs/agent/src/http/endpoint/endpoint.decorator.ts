import { Req, Res, UseGuards } from '@nestjs/common';
import { failureOf } from '../errors';
import { onceGone } from '../wire';
import type { Exchange } from './exchange';
import { type EndpointOptions, markServed } from './served';
import { ServingGuard } from './serving.guard';

/** Stands on a method that answers an `Exchange`. */
export type EndpointDecorator = (
  prototype: object,
  name: string,
  descriptor: Omit<PropertyDescriptor, 'value'> & { value?: (exchange: Exchange) => unknown },
) => void;

/**
 * Has a method of a controller serve its route past the application's interceptors, pipes and filters.
 * It is called with the `Exchange` once every guard has let the request in; what it returns is sent
 * as JSON, and where it returns nothing it has answered for itself.
 *
 * Nest is left with a handler that is done when the answer is: interceptors run around that one.
 * The decorator stands next to the method, below that of the route.
 *
 * @param options what sets this endpoint apart; by default its answers are the caller's own, and its
 *   failures come in Nest's envelope
 * @example
 * import { CallerResolver, Endpoint, readJsonBody, type Exchange } from 'nestjs-agent/endpoints';
 *
 * \@Controller('notes')
 * export class NotesController {
 *   constructor(private readonly callers: CallerResolver) {}
 *
 *   \@Post()
 *   \@Endpoint()
 *   echo({ request, response }: Exchange): void {
 *     const { principal = 'nobody' } = this.callers.resolve(request);
 *     response.head(200, { 'content-type': 'text/plain; charset=utf-8' });
 *     response.write(`${principal} sent ${JSON.stringify(readJsonBody(request))}`);
 *     response.end();
 *   }
 * }
 */
export function Endpoint(options: EndpointOptions = {}): EndpointDecorator {
  return (prototype, name, descriptor) => {
    const serve = descriptor.value;
    if (serve === undefined) return;
    const handler = (request: unknown, response: unknown): Promise<void> =>
      new Promise((resolve) => void onceGone(request, response, resolve));
    // Swagger finds a handler's parameters by its name.
    Object.defineProperty(handler, 'name', { value: name });
    markServed(handler, { isPublic: false, failureOf, ...options, serve });
    descriptor.value = handler as never;
    Req()(prototype, name, 0);
    Res()(prototype, name, 1);
    UseGuards(ServingGuard)(prototype, name, descriptor);
  };
}
