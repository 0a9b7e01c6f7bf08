import { Injectable } from '@nestjs/common';
import { ToolError, type ToolCall, type ToolContext, type ToolInterceptor } from 'nestjs-agent';

// #region interceptor
@Injectable()
export class Redaction implements ToolInterceptor {
  async intercept(call: ToolCall, ctx: ToolContext, next: () => Promise<unknown>) {
    if (ctx.principal === undefined) throw new ToolError(`Log in to use ${call.name}.`);
    const result = await next();
    return typeof result === 'string' ? result.replaceAll(/\S+@\S+/g, '[address]') : result;
  }
}
// #endregion interceptor
