import { Injectable, type OnModuleInit } from '@nestjs/common';
import { AgentService, defineTool, ToolRegistry } from 'nestjs-agent';
import { z } from 'zod';

// #region define
export const convert = defineTool({
  name: 'convert_currency',
  description: 'Convert euros into another currency',
  input: z.object({ amount: z.number().positive(), to: z.enum(['USD', 'CHF']) }),
  readOnly: true,
  execute: ({ amount, to }) => ({ amount: amount * (to === 'USD' ? 1.1 : 0.9), currency: to }),
});
// #endregion define

// #region register
@Injectable()
export class RateTools implements OnModuleInit {
  constructor(private readonly registry: ToolRegistry) {}

  onModuleInit(): void {
    this.registry.register(convert);
    const input_schema = { type: 'object', properties: {} };
    this.registry.register(
      { name: 'Rates.today', description: 'Say what a euro costs today', input_schema },
      () => ({ USD: 1.1, CHF: 0.9 }),
      { readOnly: true },
    );
  }
}
// #endregion register

// #region run
@Injectable()
export class Advisor {
  constructor(private readonly agent: AgentService) {}

  advise(message: string, balance: number) {
    const tool = defineTool({
      name: 'balance',
      description: "The customer's balance in euros",
      readOnly: true,
      execute: () => balance,
    });
    return this.agent.chat({ message }, { tools: [tool] }); // there for this run only
  }
}
// #endregion run
