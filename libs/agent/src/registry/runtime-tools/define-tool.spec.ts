import { IsInt, IsOptional, IsString, Min } from 'class-validator';
import { z } from 'zod';
import type { ToolInvocation } from '../../tool';
import { defineTool } from './define-tool';
import { summaryOf } from '../tool-summary';

class OrderDto {
  @IsString()
  article!: string;

  @IsInt()
  @Min(1)
  @IsOptional()
  amount?: number = 1;
}

const invocation = (args: unknown) => ({ args }) as ToolInvocation;

describe('defineTool', () => {
  it('makes typed instances of a DTO class', async () => {
    const order = defineTool({
      name: 'order',
      description: 'Order an article',
      input: OrderDto,
      execute: (input) => input,
    });
    expect(order.definition.input_schema).toMatchObject({
      type: 'object',
      properties: { article: { type: 'string' }, amount: { type: 'integer', minimum: 1 } },
      required: ['article'],
      additionalProperties: false,
    });
    const args = await order.bind({ article: 'tea' });
    expect(args).toBeInstanceOf(OrderDto);
    expect(order.invoke(invocation(args))).toEqual({ article: 'tea', amount: 1 });
    await expect(order.bind({ article: 'tea', amount: 0 })).rejects.toMatchObject({
      code: 'invalid_arguments',
      issues: [{ path: '/amount' }],
    });
  });

  it('takes a Standard Schema, with its transformations', async () => {
    const shout = defineTool({
      name: 'shout',
      description: 'Shout',
      input: z.object({ text: z.string().transform((text) => text.toUpperCase()) }),
      output: z.string(),
      execute: ({ text }) => text,
    });
    expect(shout.definition.output_schema).toMatchObject({ type: 'string' });
    expect(shout.invoke(invocation(await shout.bind({ text: 'hey' })))).toBe('HEY');
    await expect(shout.bind({ text: 1 })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('fills in the defaults of a JSON Schema, each time anew', async () => {
    const list = defineTool({
      name: 'list',
      description: 'List',
      input: {
        type: 'object',
        properties: { tags: { type: 'array', default: [] }, limit: { type: 'integer' } },
      },
      execute: (input) => input,
    });
    const first = await list.bind({ limit: 1 });
    expect(first).toEqual({ limit: 1, tags: [] });
    expect((await list.bind({})) as { tags: unknown }).not.toBe(first);
  });

  it('takes no arguments where it declares none', async () => {
    const ping = defineTool({ name: 'ping', description: 'Ping', execute: () => 'pong' });
    await expect(ping.bind({})).resolves.toEqual({});
    await expect(ping.bind({ a: 1 })).rejects.toMatchObject({ code: 'invalid_arguments' });
  });

  it('refuses a declaration without a description', () => {
    expect(() => defineTool({ name: 'x', description: '', execute: () => 1 })).toThrow(
      /"x".*"description"/,
    );
  });
});

describe('summaryOf', () => {
  it.each([
    ['List orders. Newest first.', 'List orders.'],
    ['One\n  line', 'One line'],
    ['x'.repeat(200), `${'x'.repeat(99)}…`],
  ])('keeps the first sentence of %j', (description, summary) => {
    expect(summaryOf({ description })).toBe(summary);
  });

  it.each([
    [{ permision: 'ask' }, 'permision is no option; did you mean permission?'],
    [{ permission: 'never' }, 'permission must be "allow", "ask" or "deny", not "never"'],
    [{ timeoutMs: -1 }, 'timeoutMs must be a number above 0, not -1'],
    [{ retry: { maxAttempts: 0 } }, 'retry.maxAttempts must be a whole number above 0, not 0'],
    [{ input_schema: { type: 'object' } }, 'input_schema is no option'],
    [{ execute: undefined }, '"execute" must be a function'],
  ])('refuses the wrong options %j, as @Tool does', (options, problem) => {
    const declaration = { name: 'pay', description: 'Pay', execute: () => 'paid', ...options };
    expect(() => defineTool(declaration as never)).toThrow(`run-time tool "pay": ${problem}`);
  });
});
