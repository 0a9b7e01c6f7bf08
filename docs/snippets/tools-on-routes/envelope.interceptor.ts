import { Injectable } from '@nestjs/common';
import { type ToolCall, type ToolContext, ToolError, type ToolInterceptor } from 'nestjs-agent';

/** The envelope of your interceptor, and of your filter's errors, which have status 200. */
interface Envelope {
  readonly code: number;
  readonly message: string;
  readonly data: unknown;
}

// #region interceptor
@Injectable()
export class EnvelopeInterceptor implements ToolInterceptor {
  async intercept(_call: ToolCall, _ctx: ToolContext, next: () => Promise<unknown>) {
    const result = await next();
    if (!isEnvelope(result)) return result; // of a provider's method, or a file
    if (result.code !== 200) throw new ToolError(result.message); // for the model
    return result.data ?? undefined; // of a write without a result: Done
  }
}
// #endregion interceptor

function isEnvelope(result: unknown): result is Envelope {
  return typeof result === 'object' && result !== null && 'code' in result && 'data' in result;
}
