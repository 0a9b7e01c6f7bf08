/** Whether an `Accept` header explicitly names an event stream. */
export function acceptsEventStream(accept: string | undefined): boolean {
  return (accept ?? '').split(',').some((range) => {
    const [type, ...parameters] = range.split(';').map((part) => part.trim().toLowerCase());
    return type === 'text/event-stream' && !parameters.some((each) => /^q=0(\.0*)?$/.test(each));
  });
}
