/** The server said no, in its own words. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
    this.name = 'ApiError';
  }
}

/** The answer came, and is none of the agent's. */
export function unexpectedAnswer(status: number): ApiError {
  return new ApiError(
    status,
    'unexpected_answer',
    'The server gave an answer that this chat cannot read. An interceptor, a proxy or a log-in page may have taken its place.',
  );
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => ({}))) as {
    readonly message?: unknown;
    readonly code?: unknown;
  } | null;
  const { message, code } = body ?? {};
  const text = Array.isArray(message) ? message.join(' ') : message;
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'http_error',
    typeof text === 'string' && text !== '' ? text : `The server answered ${response.status}.`,
  );
}
