import { Injectable } from '@nestjs/common';
import { ToolContext, ToolParam } from 'nestjs-agent';
import { McpPrompt, type McpPromptResult } from 'nestjs-agent/mcp';

@Injectable()
export class CustomerDirectory {
  namesFor(principal = ''): readonly string[] {
    return principal === 'alice' ? ['Ada', 'Adam', 'Grace'] : [];
  }
}

// #region prompt
@Injectable()
export class OrderPrompts {
  @McpPrompt({ title: 'Answer a complaint', description: 'Draft an answer to a customer' })
  answer_complaint(
    @ToolParam('customer', {
      description: 'The name of the customer',
      complete: (value, { get, principal }) =>
        get(CustomerDirectory)
          .namesFor(principal)
          .filter((name) => name.startsWith(value)),
    })
    customer: string,
    @ToolParam('tone', { enum: ['friendly', 'formal'], default: 'friendly' }) tone: string,
    ctx: ToolContext,
  ): McpPromptResult {
    return [
      { role: 'user', content: `Draft a ${tone} answer to the complaint of ${customer}.` },
      { role: 'user', content: `Sign it as ${ctx.principal ?? 'the shop'}.` },
    ];
  }
}
// #endregion prompt
