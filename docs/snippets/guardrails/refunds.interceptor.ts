import { Injectable } from '@nestjs/common';
import { ToolError, type ToolCall, type ToolContext, type ToolInterceptor } from 'nestjs-agent';

// #region interceptor
@Injectable()
export class RefundLimit implements ToolInterceptor {
  async intercept(call: ToolCall, _ctx: ToolContext, next: () => Promise<unknown>) {
    if (call.name === 'refund' && Number(call.input['amount']) > 100) {
      throw new ToolError('Refunds above 100 are made by a person. Tell the user to call us.');
    }
    const result = await next();
    return typeof result === 'string' ? result.replace(/\b\d{16}\b/g, '[card]') : result;
  }
}
// #endregion interceptor
