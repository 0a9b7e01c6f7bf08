/** What Express and Fastify know of the chat request, as far as it is needed. */
interface ChatRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean };
}

/** Nothing is known of a request that is none. */
export function chatRequestOf(request: unknown): ChatRequest {
  return typeof request === 'object' && request !== null ? request : {};
}
