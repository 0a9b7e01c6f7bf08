/** A refusal of the server, with its message if it has one. */
export class ApiError extends Error {
  constructor(
    readonly status: number,
    readonly code: string,
    message: string,
  ) {
    super(message);
  }
}

/** An answer came, and it is none of the agent's. */
export function unexpectedAnswer(status = 200): ApiError {
  return new ApiError(status, 'unexpected_answer', '');
}

export async function errorOf(response: Response): Promise<ApiError> {
  const body = (await response.json().catch(() => null)) as Record<string, unknown> | null;
  const { message, code } = body ?? {};
  const text = Array.isArray(message) ? message.join(' ') : message;
  return new ApiError(
    response.status,
    typeof code === 'string' ? code : 'http_error',
    typeof text === 'string' ? text : '',
  );
}

export function isStatus(error: unknown, ...statuses: readonly number[]): boolean {
  return error instanceof ApiError && statuses.includes(error.status);
}

const OUTDATED: readonly string[] = ['session_busy', 'session_not_found'];

/** The page shows an old state: another run holds the session, or it was deleted. */
export function isOutdated(error: unknown): boolean {
  return error instanceof ApiError && OUTDATED.includes(error.code);
}
