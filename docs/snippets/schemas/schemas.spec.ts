import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { runInNewContext } from 'node:vm';
import * as validators from 'class-validator';
import { Injectable, Module } from '@nestjs/common';
import { ApiProperty } from '@nestjs/swagger';
import { IsDefined, IsInt, IsNotIn, IsOptional, ValidateIf } from 'class-validator';
import { z } from 'zod';
import { AgentModule, Tool, ToolField } from 'nestjs-agent';
import type { JsonObject, JsonSchema } from 'nestjs-agent/types';
import { schemaOf } from '../../../libs/agent/src/schema';
import { RULES } from '../../../libs/agent/src/schema/rules';
import { bootError, GuideApp } from '../../../test/support/guide-app';
import { guideText } from '../../../test/support/guide-text';
import { AppModule } from './app.module';

const TEXT = guideText('schemas');

describe('the guide to schemas', () => {
  let guide: GuideApp;
  beforeAll(async () => {
    guide = await GuideApp.start(AppModule);
  });
  afterAll(() => guide.close());
  const outputOf = async (name: string, input: JsonObject) =>
    (await guide.call(name, input)).output as string;
  const schemaFor = async (tool: string) => {
    const { body } = await guide.get(`/agent/tools/${tool}`);
    return body as { input_schema: JsonSchema; output_schema: JsonSchema };
  };

  const event = { title: 'Knitting', seats: 3, guests: [{ name: 'Ada', age: null }] };
  const meeting = {
    startsAt: '2026-05-01',
    place: { type: 'room', name: 'A' },
    votes: { ada: 2 },
    'max-seats': 3,
    room: ' B ',
  };

  it('shows the schema of a class, and what becomes of a value', async () => {
    const shown = JSON.parse(readFileSync(join(__dirname, 'event.json'), 'utf8')) as object;
    expect((await schemaFor('create_event')).input_schema).toEqual(shown);
    expect(JSON.parse(await outputOf('create_event', event))).toEqual({
      isTyped: true,
      title: 'Knitting',
      kind: 'talk',
      seats: 3,
      guests: [{ name: 'Ada' }],
    });
  });

  it.each([
    ['create_event', { ...event, title: 1, guests: [{}], color: 'red' }],
    ['take_shift', { day: '2026-05-01' }],
    ['plan_meeting', { meeting: { ...meeting, createdBy: 'eve' } }],
    ['count_visitors', { event: 'concert' }],
  ])('quotes what the model reads where %s refuses', async (name, input) => {
    const output = await outputOf(name, input);
    expect({ isQuoted: TEXT.includes(`\`${output}\``), output }).toMatchObject({ isQuoted: true });
  });

  it('makes dates, unions, maps, and classes that reach themselves', async () => {
    const output = await outputOf('plan_meeting', {
      meeting: { ...meeting, followUps: [meeting] },
    });
    expect(JSON.parse(output)).toEqual({
      year: 2026,
      place: 'Room',
      votes: 2,
      followUps: 1,
      maxSeats: 3,
      room: 'B',
      createdBy: 'nobody',
    });
  });

  it('takes zod and JSON Schema', async () => {
    expect(await outputOf('take_shift', { day: '2026-05-01', note: null })).toBe(
      '{"day":"2026-05-01","hours":8,"note":null}',
    );
    expect(await outputOf('tag_event', { id: 1, tags: ['a'] })).toBe('{"id":1,"tags":["a"]}');
    expect(await outputOf('tag_event', { id: 1, tags: ['A'] })).toContain('/tags/0');
  });

  it('reads what swagger’s decorators say', async () => {
    expect(await schemaFor('rooms_find')).toMatchObject({
      description: 'Find a room',
      input_schema: {
        properties: {
          seats: { type: 'number', minimum: 1, description: 'At least so many seats' },
          floor: { type: ['string', 'null'], enum: ['ground', 'first', null] },
        },
        required: ['floor'],
      },
      output_schema: { title: 'RoomDto', required: ['name'] },
    });
    expect(await outputOf('rooms_find', { floor: null })).toBe('{"name":"any floor, 1 seats"}');
  });

  it('shows nobody what is sensitive', async () => {
    const input = { door: 'front', pin: '9876' };
    expect(await outputOf('unlock', input)).toBe('front is open');
    const key = { label: 'brass', code: '1234' };
    expect(await outputOf('add_key', { door: 'front', key })).toContain('4 digits');
    const { properties } = (await schemaFor('add_key')).input_schema;
    expect(properties?.['key']).toMatchObject({
      properties: { code: { pattern: '^[0-9]{4}$', writeOnly: true } },
      required: ['label', 'code'],
    });
  });

  it('checks results', async () => {
    expect(await outputOf('count_visitors', { event: 'talk' })).toBe('{"count":12}');
    expect((await schemaFor('next_event')).output_schema).toEqual({
      type: 'string',
      description: 'Its title',
      examples: ['Knitting for all'],
    });
  });

  it('says what is required', () => {
    class Dto {
      @IsInt() validated!: number;
      @IsInt() initialised = 3;
      @IsOptional() @IsInt() optional?: number;
      @IsNotIn(['x']) notRefusing!: string;
      @IsNotIn(['x']) @IsDefined() defined!: string;
      @ValidateIf(() => false) @IsInt() conditional!: number;
      @ToolField({ required: true }) @IsOptional() @IsInt() field!: number;
      @ApiProperty() documented!: string;
      @ApiProperty({ required: false }) optionallyDocumented!: string;
      bare = 1;
    }
    const { properties, required } = schemaOf(Dto);
    expect(required?.toSorted()).toEqual(['defined', 'documented', 'field', 'validated']);
    expect(properties).toMatchObject({ initialised: { default: 3 } });
    expect(properties).not.toHaveProperty('bare');
    class Bare {
      size = 1;
    }
    expect(schemaOf(Bare)).toMatchObject({
      properties: { size: { type: 'number', default: 1 } },
      additionalProperties: true,
    });
    expect(schemaOf(z.looseObject({ a: z.int() })).additionalProperties).toEqual({});
  });

  it('bounds arguments before any schema', async () => {
    const deep = (levels: number): JsonObject => (levels === 0 ? {} : { a: deep(levels - 1) });
    for (const [input, words] of [
      [{ a: deep(33) }, 'nested deeper than 32 levels'],
      [{ a: 'x'.repeat(300_000) }, 'larger than 262144 bytes of JSON'],
      [{ constructor: 1 }, 'is not an allowed key'],
    ] as const) {
      expect(await outputOf('create_event', input as never)).toContain(words);
      expect(TEXT).toContain(words);
    }
  });

  it('quotes what stops the boot', async () => {
    class FileDto {
      @IsDefined()
      content!: Buffer;
    }
    @Injectable()
    class FileTools {
      @Tool({ description: 'Save', input: FileDto })
      save(file: FileDto): void {
        void file;
      }
    }
    @Module({ imports: [AgentModule.forRoot({})], providers: [FileTools] })
    class FileModule {}
    const message = await bootError(FileModule);
    expect({ isQuoted: TEXT.includes(message), message }).toMatchObject({ isQuoted: true });
  });
});

describe('the table of class-validator’s decorators', () => {
  const DECORATOR = /`(@[A-Z]\w+\(.*?\))`/g;
  const guide = readFileSync(join(__dirname, '../../schemas.md'), 'utf8');
  const [, section = ''] = /## What class-validator([^]*?)\n## /.exec(guide) ?? [];
  const rows = section
    .split(/\n(?=\| `@|- )|\n\n/)
    .filter((row) => /^(?:\| `@|- )/.test(row))
    .map((row) => {
      const decorators = [...row.matchAll(DECORATOR)].map(([, decorator = '']) => decorator);
      const [keywords = ''] =
        /`[^`]*`|a `pattern` and a `not`|(?:no|a) `pattern`/.exec(
          row.replaceAll(DECORATOR, '').replace(/^- /, ''),
        ) ?? [];
      return { decorators, keywords };
    });

  const facts = (decorator: string) => {
    class Dto {
      value: unknown;
    }
    const apply = runInNewContext(decorator.slice(1), { ...validators, Date }) as PropertyDecorator;
    apply(Dto.prototype, 'value');
    const rules = validators
      .getMetadataStorage()
      .getTargetValidationMetadatas(Dto, '', false, false);
    const { properties, required = [] } = schemaOf(Dto);
    return { schema: properties?.['value'] ?? {}, rules, isRequired: required.length > 0 };
  };

  it.each(rows.map((row) => [row.decorators.join(' '), row] as const))(
    'is right about %s',
    (_decorators, { decorators, keywords }) => {
      for (const decorator of decorators) {
        const { description, examples, items, ...schema } = facts(decorator).schema;
        void [description, examples, items];
        if (keywords === 'a `pattern`') {
          expect(schema).toEqual({ type: 'string', pattern: expect.any(String) });
        } else if (keywords === 'a `pattern` and a `not`') {
          const pattern: unknown = expect.any(String);
          expect(schema).toEqual({ type: 'string', pattern, not: { pattern } });
        } else if (keywords === 'no `pattern`') {
          expect(schema).toEqual({ type: 'string' });
          expect(description).toEqual(expect.any(String));
        } else {
          const json = keywords.replaceAll('`', '').replace(/^—$/, '');
          expect(schema).toEqual(JSON.parse(`{${json}}`));
        }
      }
    },
  );

  it('has all of them', () => {
    const named = rows.flatMap(({ decorators }) =>
      decorators.flatMap((each) => facts(each).rules.map(({ name, type }) => name ?? type)),
    );
    expect([...new Set(named)].sort()).toEqual(Object.keys(RULES).sort());
  });
});
