import type { Type } from '@nestjs/common';
import type { JsonSchema } from 'nestjs-agent/types';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

const ORDER = `import { IsArray, IsObject, IsOptional, IsString, MaxLength } from 'class-validator';
import { ToolField } from 'nestjs-agent';
export class OrderDto {
  /** The invoice's number,
   * without dashes.
   *
   * It is printed at the top. */
  number!: string;
  /**
   * How urgent it is.
   * @example high
   */
  urgency: 'low' | 'high' = 'low';
  note?: string | null;
  /** @deprecated of the old system */
  code?: number;
  since!: Date;
  /** Not what the model reads. */
  @ToolField({ description: 'Who pays' }) payer!: string;
  /** Five letters. */ @IsString() @MaxLength(5) @IsOptional() tag!: string;
  @IsString() region!: 'north' | 'south';
  @IsArray() @IsOptional() lines?: { sku: string }[];
  @IsObject() @IsOptional() labels?: Record<string, string>;
  readonly parts: { sku: string; due: Date }[] = [];
  static count = 0;
  isUrgent(): boolean { return this.urgency === 'high'; }
}
`;

const TOOLS = `import { Injectable } from '@nestjs/common';
import { OmitType, PartialType } from '@nestjs/mapped-types';
import { Tool, ToolParam } from 'nestjs-agent';
import { OrderDto } from './order.dto';
export class ChangedOrder extends PartialType(OmitType(OrderDto, ['since', 'parts', 'payer'])) {
  reason!: 'late' | 'lost';
}
export class Tenant { name!: string }
@Injectable() export class Clock { private now = 0 }
class Hidden { word!: string }
interface Found { order: OrderDto;
  /** Cents. */ total: bigint; at: Date | null; tags: Set<string> }
const WEEK = 7;
const SIZES = ['m', 's', 'l'] as const;
enum Color { Red = 'r', Green = 'g' }
export enum Rank { Low, High = 5 }
const enum Side { Left = 'l', Right = 'r' }
/**
 * The shop's orders.
 *
 * Who changes this class reads on.
 */
export class OrderTools {
  /**
   * Looks an order up
   * by its number.
   *
   * Nothing of this paragraph is sent.
   *
   * @param window how far back
   * @param tags - those it must have
   * @returns what was found
   */
  @Tool()
  async find(
    /** The number on the invoice, without dashes @example 17 */ number: string,
    window: 'day' | 'week' | 'month' = 'week',
    tags?: string[],
    days = WEEK,
    limit = 5,
    /* how to sort */ sort: { by: string; down?: boolean } = { by: 'date', down: true },
  ): Promise<Found | null> {
    return [number, window, tags, days, limit, sort] as never;
  }

  /**
   * Places an order.
   * @deprecated use find
   */
  @Tool() place(order: OrderDto): string { return order.constructor.name + order.isUrgent(); }

  /** Changes an order. */ @Tool() change(order: ChangedOrder): string { return order.constructor.name; }

  /** Of nothing. */ @Tool() gone(): void {}

  /** By size. */ @Tool() sized(
    size: (typeof SIZES)[number],
    /** How many. @example [1, 2] */ counts: number[],
    /** @example none */ total: number,
  ): string { return [size, counts, total].join(); }

  /** In color. */ @Tool() colored(
    color = Color.Green, ranks: Rank[] = [Rank['Low'], Rank.High], side: Side | null = Side.Left,
  ): unknown[] { return [color, ranks, side]; }

  /** For a tenant. */ @Tool() own(tenant: Tenant, clock: Clock, word: string): string {
    return [tenant.constructor.name, word].join(' ');
  }

  /** Not read. */
  @Tool({ description: 'Says a word' })
  said(
    /** Not read. */ @ToolParam('text', { description: 'The word', default: 'b' }) word: 'a' | 'b',
    @ToolParam({ schema: { type: 'integer' } }) count: number,
    @ToolParam() size: 's' | 'm',
  ): string { return word + count + size; }

  /** Whole. */ @Tool({ input: OrderDto }) whole(order: OrderDto): string { return order.number; }

  /** Hidden. */ @Tool() hidden(hidden: Hidden): string { return hidden.constructor.name; }

  @Tool() isUncommented(): boolean { return true; }

  notATool(callback: () => void): void { callback(); }
}
`;

const ORDER_VALUE = {
  number: 'A1',
  since: '2024-05-01T00:00:00.000Z',
  payer: 'Ada',
  region: 'north',
  parts: [{ sku: 's', due: '2024-05-01T00:00:00.000Z' }],
};

describe.each(['tsc', 'swc'])('tools without decorators, by %s', (compiler) => {
  let project: Project;
  let application: ToolApplication;
  let tenant: object;
  const inputOf = (name: string): JsonSchema => application.tool(name).definition.input_schema;
  const propertyOf = (name: string, property: string): JsonSchema | undefined =>
    inputOf(name).properties?.[property];

  beforeAll(async () => {
    project = new Project({ 'src/order.dto.ts': ORDER, 'src/order.tools.ts': TOOLS });
    expect(project.withTsc()).toEqual([]);
    if (compiler === 'swc') project.withSwc();
    const tools = project.load<Record<'OrderTools' | 'Tenant' | 'Clock', Type<object>>>(
      `${compiler}/order.tools.js`,
    );
    tenant = new tools.Tenant();
    application = await ToolApplication.boot(
      { providers: [tools.OrderTools] },
      {
        context: [tenant, new tools.Clock()],
        ...(compiler === 'swc' && {
          metadata: project.metadata(),
        }),
      },
    );
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  it('are described by the first paragraph of their comments', () => {
    const { description } = application.tool('find').definition;
    expect(description).toBe('Looks an order up by its number.');
    expect(application.tool('place').definition.description).toBe(
      'Places an order. Deprecated: use find',
    );
    expect(application.tool('isUncommented').definition.description).toBe('Is uncommented (order)');
  });

  it('have parameters as they are typed, commented and initialised', () => {
    expect(inputOf('find')).toEqual({
      type: 'object',
      properties: {
        number: {
          type: 'string',
          description: 'The number on the invoice, without dashes',
          examples: ['17'],
        },
        window: {
          type: 'string',
          enum: ['day', 'week', 'month'],
          default: 'week',
          description: 'how far back',
        },
        tags: {
          type: 'array',
          items: { type: 'string' },
          description: 'those it must have',
        },
        days: { type: 'number' },
        limit: { type: 'number', default: 5 },
        sort: {
          type: 'object',
          properties: { by: { type: 'string' }, down: { type: 'boolean' } },
          required: ['by'],
          additionalProperties: false,
          default: { by: 'date', down: true },
          description: 'how to sort',
        },
      },
      required: ['number'],
      additionalProperties: false,
    });
  });

  it('have members of enums as defaults', () => {
    expect(inputOf('colored').properties).toEqual({
      color: { type: 'string', enum: ['r', 'g'], default: 'g' },
      ranks: { type: 'array', items: { type: 'number', enum: [0, 5] }, default: [0, 5] },
      side: { type: ['string', 'null'], enum: ['l', 'r', null], default: 'l' },
    });
  });

  it('have values in the order of their declaration, and examples that fit', () => {
    expect(inputOf('sized').properties).toEqual({
      size: { type: 'string', enum: ['m', 's', 'l'] },
      counts: {
        type: 'array',
        items: { type: 'number' },
        description: 'How many.',
        examples: [[1, 2]],
      },
      total: { type: 'number' },
    });
  });

  it('belong to what the comment of their class says', () => {
    expect(application.tool('find').toolkit).toEqual({
      name: 'OrderTools',
      description: "The shop's orders.",
    });
  });

  it('receive what is given, and their defaults', async () => {
    expect(await application.call('find', { number: 'A1' })).toEqual([
      'A1',
      'week',
      undefined,
      7,
      5,
      { by: 'date', down: true },
    ]);
    await expect(application.call('find', { number: 'A1', window: 'year' })).rejects.toThrow(
      '/window',
    );
  });

  it('describe their results', () => {
    expect(application.tool('find').definition.output_schema).toMatchObject({
      description: 'what was found',
      type: ['object', 'null'],
      properties: {
        order: { type: 'object', title: 'OrderDto' },
        total: { description: 'Cents.' },
        at: { anyOf: [{ type: 'string', format: 'date-time' }, { type: 'null' }] },
        tags: { type: 'array', items: { type: 'string' } },
      },
      required: ['order', 'total', 'at', 'tags'],
    });
    expect(application.tool('gone').definition.output_schema).toBeUndefined();
  });

  it('take DTOs whose properties say what decorators do not', () => {
    expect(propertyOf('place', 'order')).toEqual({
      type: 'object',
      title: 'OrderDto',
      properties: {
        number: { type: 'string', description: "The invoice's number, without dashes." },
        urgency: {
          type: 'string',
          enum: ['low', 'high'],
          default: 'low',
          description: 'How urgent it is.',
          examples: ['high'],
        },
        note: { type: ['string', 'null'] },
        code: { type: 'number', deprecated: true },
        since: expect.objectContaining({ description: expect.stringContaining('ISO 8601') }),
        payer: { type: 'string', description: 'Who pays' },
        tag: { type: 'string', maxLength: 5, description: 'Five letters.' },
        region: { type: 'string', enum: ['north', 'south'] },
        lines: {
          type: 'array',
          items: {
            type: 'object',
            properties: { sku: { type: 'string' } },
            required: ['sku'],
            additionalProperties: false,
          },
        },
        labels: { type: 'object', additionalProperties: { type: 'string' } },
        parts: expect.objectContaining({ type: 'array', default: [] }),
      },
      required: ['number', 'since', 'payer', 'region'],
      additionalProperties: false,
    });
  });

  it('take DTOs that are made of others', async () => {
    const order = propertyOf('change', 'order');
    expect(order).toMatchObject({
      properties: {
        number: { type: 'string', description: "The invoice's number, without dashes." },
        urgency: { enum: ['low', 'high'], default: 'low', examples: ['high'] },
        note: { type: ['string', 'null'] },
        code: { type: 'number', deprecated: true },
        region: { enum: ['north', 'south'] },
        reason: { enum: ['late', 'lost'] },
      },
      required: ['reason'],
      additionalProperties: false,
    });
    expect(Object.keys(order?.properties ?? {})).not.toContain('isUrgent');
    expect(await application.call('change', { order: { reason: 'lost' } })).toBe('ChangedOrder');
  });

  it('hand over instances of classes', async () => {
    expect(await application.call('place', { order: { ...ORDER_VALUE, urgency: 'high' } })).toBe(
      'OrderDtotrue',
    );
    await expect(
      application.call('place', { order: { ...ORDER_VALUE, tag: 'longer' } }),
    ).rejects.toThrow('/order/tag');
    expect(await application.call('hidden', { hidden: {} }).catch(String)).toMatch(/Hidden|word/);
  });

  it('leave context and providers out of the arguments', async () => {
    expect(Object.keys(inputOf('own').properties ?? {})).toEqual(['word']);
    expect(await application.call('own', { word: 'hi' })).toBe('Tenant hi');
  });

  it('yield to decorators where both speak', async () => {
    expect(application.tool('said').definition.description).toBe('Says a word');
    expect(inputOf('said').properties).toEqual({
      text: { type: 'string', enum: ['a', 'b'], default: 'b', description: 'The word' },
      count: { type: 'integer' },
      size: { type: 'string', enum: ['s', 'm'] },
    });
    expect(await application.call('said', { count: 2, size: 's' })).toBe('b2s');
    expect(inputOf('whole')).toMatchObject({ type: 'object', title: 'OrderDto' });
    expect(await application.call('whole', ORDER_VALUE)).toBe('A1');
  });
});

describe('routes without further decorators', () => {
  it('tell what their bodies and queries are typed as', async () => {
    const project = new Project({
      'src/orders.controller.ts': `import { Body, Controller, Post, Query, Req } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
interface NewOrder {
  /** The article's number. */
  sku: string;
  count?: number;
}
@Controller('orders')
export class OrdersController {
  /**
   * Places an order.
   * @param window when to deliver
   */
  @Tool() @Post() place(
    @Body() order: NewOrder,
    @Query('window') window: 'day' | 'week',
    @Req() request: any,
    @Query('note') note?: string,
    @Query('sort') sort: 'asc' | 'desc' = 'asc',
    @Query('page') page: number = 1,
  ): NewOrder { void [window, request, note, sort, page]; return order; }
}`,
    });
    expect(project.withTsc()).toEqual([]);
    const { OrdersController } = project.load<{ OrdersController: Type<object> }>(
      'tsc/orders.controller.js',
    );
    const application = await ToolApplication.boot({ controllers: [OrdersController] });
    const { description, input_schema } = application.tool(application.names[0] ?? '').definition;
    expect(description).toBe('Places an order.');
    expect(input_schema).toMatchObject({
      properties: {
        window: { type: 'string', enum: ['day', 'week'], description: 'when to deliver' },
        note: { type: 'string' },
        sort: { type: 'string', enum: ['asc', 'desc'], default: 'asc' },
        sku: { type: 'string', description: "The article's number." },
        count: { type: 'number' },
      },
      required: ['window', 'sku'],
    });
    // A number would arrive as text, where the method's own default is a number.
    expect(input_schema.properties?.['page']).toEqual({ type: 'number' });
    await application.close();
    project.remove();
  });

  it('tell what a whole query, a whole path and a destructured body are typed as', async () => {
    const project = new Project({
      'src/orders.controller.ts': `import { Body, Controller, Param, Post, Query } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
interface Search {
  /** Words of the name. */
  text: string;
  state?: 'open' | 'sent';
  tags?: string[];
}
type Change = { sku: string; note?: string };
@Controller('orders/:id/:kind')
export class OrdersController {
  @Tool() @Post() change(
    @Param() params: { id: string; kind: 'gift' | 'own' },
    @Query() query: Search,
    @Body() { sku, note }: Change,
  ): object { return { ...params, ...query, sku, note }; }
}`,
    });
    expect(project.withTsc()).toEqual([]);
    const { OrdersController } = project.load<{ OrdersController: Type<object> }>(
      'tsc/orders.controller.js',
    );
    const application = await ToolApplication.boot({ controllers: [OrdersController] });
    const [name = ''] = application.names;
    expect(application.tool(name).definition.input_schema).toMatchObject({
      properties: {
        id: { type: 'string' },
        kind: { type: 'string', enum: ['gift', 'own'] },
        text: { type: 'string', description: 'Words of the name.' },
        state: { type: 'string', enum: ['open', 'sent'] },
        tags: { type: 'array', items: { type: 'string' } },
        sku: { type: 'string' },
        note: { type: 'string' },
      },
      required: ['id', 'kind', 'text', 'sku'],
      additionalProperties: false,
    });
    const input = { id: '7', kind: 'own', text: 'a b', tags: ['x', 'y'], sku: 'S' };
    expect(await application.call(name, input)).toEqual(input);
    await application.close();
    project.remove();
  });
});
