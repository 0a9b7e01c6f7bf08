import { headerOf } from '../wire';

/** Whether the `Accept` header of a request explicitly names an event stream. */
export function acceptsEventStream(request: unknown): boolean {
  return (headerOf(request, 'accept') ?? '').split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}
