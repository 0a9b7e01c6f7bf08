import { Req, Res, UseGuards } from '@nestjs/common';
import { failureOf } from '../errors';
import { onceDisconnected } from '../wire';
import { type Exchange, type EndpointOptions, markServed } from './served';
import { ServingGuard } from './serving.guard';

/** Decorates a method that handles an `Exchange`. */
export type EndpointDecorator = (
  prototype: object,
  name: string,
  descriptor: Omit<PropertyDescriptor, 'value'> & { value?: (exchange: Exchange) => unknown },
) => void;

/**
 * Makes a controller's method serve its route without the application's interceptors, pipes and
 * filters. The method is called with the `Exchange` after all guards; its return value is sent as
 * JSON. If it returns nothing, it has sent the answer itself.
 *
 * Nest keeps a handler that completes with the answer: interceptors run around that one. Put the
 * decorator directly above the method, below the decorator of the route.
 *
 * @param options options of this endpoint; by default its answers are private to the caller, and
 *   its errors use Nest's envelope
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
      new Promise((resolve) => void onceDisconnected(request, response, resolve));
    // Swagger finds a handler's parameters by its name.
    Object.defineProperty(handler, 'name', { value: name });
    markServed(handler, { isPublic: false, failureOf, ...options, serve });
    descriptor.value = handler as never;
    Req()(prototype, name, 0);
    Res()(prototype, name, 1);
    UseGuards(ServingGuard)(prototype, name, descriptor);
  };
}
