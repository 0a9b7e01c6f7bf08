import { Logger } from '@nestjs/common';

const MOST_NAMES = 10;
const MOST_CHARS = 64;

interface RefusedCall {
  readonly tool: string;
  readonly method: string;
  /** As declared, without values. */
  readonly path: string;
  readonly status: number;
  /** What the model reads of the answer. */
  readonly message: string;
  /** Whether there was a chat request. */
  readonly hasRequest: boolean;
  readonly hasCredentials: boolean;
  /** Names of the chat request's headers that were not forwarded. */
  readonly leftBehind: readonly string[];
}

/**
 * Warns, once for each tool and kind of refusal, that a route refused a call without some header of the chat request. The
 * caller may be allowed there: the guard or middleware only did not get the header that it reads.
 */
export class RouteRefusals {
  private readonly logger = new Logger('Agent');
  private readonly reported = new Set<string>();

  report(call: RefusedCall): void {
    const { tool, method, path, status } = call;
    const reason = reasonOf(call);
    // A header that another error mentions by chance hides no refused caller.
    const key = `${isForbidden(call)} ${tool}`;
    if (reason === undefined || this.reported.has(key)) return;
    this.reported.add(key);
    this.logger.warn(
      `${method} ${path} answered ${status} to the tool "${tool}". ${reason} (Logged once for each tool and kind of refusal.)`,
    );
  }
}

function isForbidden({ status }: RefusedCall): boolean {
  return status === 401 || status === 403;
}

function reasonOf(call: RefusedCall): string | undefined {
  const { status, message, hasRequest, hasCredentials, leftBehind } = call;
  if (!isForbidden(call)) {
    if (status < 400) return undefined;
    const words = new Set(message.toLowerCase().match(/[\w-]+/g));
    return notForwarded(leftBehind.filter((name) => words.has(name)));
  }
  if (!hasRequest) return 'It was called without a chat request, so without credentials.';
  return notForwarded(leftBehind) ?? withoutCredentials(hasCredentials);
}

function notForwarded(headers: readonly string[]): string | undefined {
  if (headers.length === 0) return undefined;
  const shown = headers.slice(0, MOST_NAMES).map((name) => name.slice(0, MOST_CHARS));
  const names = shown.join(', ');
  return `Not forwarded from the chat request: ${names}. If the route's guard or middleware reads one of these headers, name it in "forwardHeaders".`;
}

function withoutCredentials(hasCredentials: boolean): string | undefined {
  return hasCredentials
    ? undefined
    : 'The chat request has neither an Authorization header nor a cookie.';
}
