/** The used properties of Express's and Fastify's chat request. */
interface ChatRequest {
  readonly headers?: Readonly<Record<string, string | readonly string[] | undefined>>;
  readonly ip?: string;
  readonly protocol?: string;
  readonly hostname?: string;
  readonly socket?: { readonly remoteAddress?: string; readonly encrypted?: boolean };
}

/** Any other value has no properties. */
export function chatRequestOf(request: unknown): ChatRequest {
  return typeof request === 'object' && request !== null ? request : {};
}
