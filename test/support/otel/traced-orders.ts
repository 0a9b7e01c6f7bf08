import { Controller, Get, Param } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { otel } from 'nestjs-agent/otel';
import { type AdapterName, agentApp } from '../../http/agent-app';

@Controller('orders')
class OrdersController {
  @Tool({ name: 'get_order', description: 'Look up an order' })
  @Get(':id')
  find(@Param('id') id: string) {
    return { id };
  }
}

/** An application whose model looks up so many orders, at most 50 in one step. */
export async function serve(
  adapter: AdapterName,
  calls: number,
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const steps = Array.from({ length: Math.ceil(calls / 50) }, (_, step) => ({
    toolCalls: Array.from({ length: Math.min(50, calls - step * 50) }, (_, index) => {
      const id = `${step * 50 + index}`;
      return { id: `c${id}`, name: 'get_order', input: { id } };
    }),
  }));
  const { app, url } = await agentApp({
    adapter,
    telemetry: otel(),
    controllers: [OrdersController],
    audit: { record: () => undefined },
    maxSteps: steps.length + 1,
    steps: [...steps, 'Done.'],
  });
  return { url, close: () => app.close() };
}
