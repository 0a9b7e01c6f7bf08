import 'reflect-metadata';
import { ApiExtraModels, ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import type { JsonObject } from '../../message';
import type { JsonSchema } from '../../tool';
import { hasSensitive, masked, schemaOf, SchemaValidator } from '../index';
import { documentSchemaOf } from './document-schema';

class Card {
  @IsString()
  label!: string;

  @IsString()
  @ApiProperty({ format: 'password' })
  pin!: string;
}

class Purse {
  @ValidateNested()
  @Type(() => Card)
  card!: Card;

  @ValidateNested({ each: true })
  @Type(() => Card)
  cards: Card[] = [];

  @ApiProperty({ type: String, format: 'password' })
  code!: string;

  @ApiProperty({
    type: 'object',
    properties: { key: { type: 'string', writeOnly: true } },
    required: [],
  })
  lock!: object;

  @ValidateNested()
  @Type(() => Purse)
  inner?: Purse;
}

class Label {
  @IsString()
  label!: string;

  @IsString()
  pin!: string;
}

class Shop {
  @ValidateNested()
  @Type(() => Label)
  label!: Label;
}

const text: JsonSchema = { type: 'string' };
const plainCard: JsonSchema = { type: 'object', properties: { label: text, pin: text } };
const refTo = (model: new () => object) => ({ $ref: getSchemaPath(model) });
const bodyOf = (model: new () => object, properties: JsonSchema): JsonSchema =>
  documentSchemaOf({ allOf: [refTo(model), { properties }] }, [Card, Purse, Label, Shop]);

describe('a secret of a model', () => {
  it.each<[string, JsonSchema, JsonObject]>([
    ['itself', { code: { type: 'number' } }, { code: 's3cret' }],
    ['in an object', { card: plainCard }, { card: { label: 'a', pin: 's3cret' } }],
    ['in a model', { card: refTo(Label) }, { card: { label: 'a', pin: 's3cret' } }],
    [
      'in a list',
      { cards: { type: 'array', items: plainCard } },
      { cards: [{ label: 'a', pin: 's3cret' }] },
    ],
    [
      'in an object without a class',
      { lock: { type: 'object', properties: { key: text } } },
      { lock: { key: 's3cret' } },
    ],
    [
      'in an object of any properties',
      { lock: { type: 'object', additionalProperties: true } },
      { lock: { key: 's3cret' } },
    ],
    [
      'of the same model further inside',
      { inner: { type: 'object', properties: { card: plainCard } } },
      { inner: { card: { label: 'a', pin: 's3cret' } } },
    ],
    [
      'in an object that has a condition of its own',
      { card: { ...plainCard, if: { required: ['pin'] }, then: { required: ['label'] } } },
      { card: { label: 'a', pin: 's3cret' } },
    ],
    ['that the part no longer takes', { card: { properties: {} } }, { card: { pin: 's3cret' } }],
  ])('stays masked where a part documents it otherwise: %s', (_, properties, input) => {
    const schema = bodyOf(Purse, properties);
    expect(JSON.stringify(masked(input, schema))).not.toContain('s3cret');
  });

  it('stays masked where two parts document it otherwise', () => {
    const key = (schema: JsonSchema): JsonSchema => ({
      properties: { lock: { type: 'object', patternProperties: { '^key': schema } } },
    });
    const parts = [key({ ...text, writeOnly: true }), { properties: { lock: {} } }, key(text)];
    const schema = documentSchemaOf({ allOf: [...parts, refTo(Shop)] }, [Shop, Label]);
    expect(JSON.stringify(masked({ lock: { key: 's3cret' } }, schema))).not.toContain('s3cret');
  });

  it('stays masked beside an alternative of which nothing is known', () => {
    @ApiExtraModels(Card)
    class Payment {
      @ApiProperty({ oneOf: [refTo(Card), { $ref: '#/components/schemas/Iban' }] })
      how!: object;
    }
    const input = { how: { label: 'a', pin: 's3cret' } };
    expect(JSON.stringify(masked(input, schemaOf(Payment)))).not.toContain('s3cret');
  });

  it('leaves the checks of a part as they are', () => {
    const condition = { if: { required: ['pin'] }, then: { required: ['label'] } };
    const check = new SchemaValidator(bodyOf(Purse, { card: { ...plainCard, ...condition } }));
    const rest = { cards: [], code: 'a', lock: {} };
    expect(check.check({ ...rest, card: { label: 'a' } })).toEqual([]);
    expect(check.check({ ...rest, card: { pin: 'a' } })).toMatchObject([
      { path: '/card/label' },
      {},
    ]);
  });

  it('stays masked where metadata composes a property', () => {
    @ApiExtraModels(Purse, Label)
    class Order {
      @ApiProperty({ allOf: [refTo(Purse), { properties: { card: refTo(Label) } }] })
      purse!: object;

      @ApiProperty({ type: Purse })
      other!: Purse;
    }
    const input = { purse: { card: { label: 'a', pin: 's3cret' } } };
    expect(JSON.stringify(masked(input, schemaOf(Order)))).not.toContain('s3cret');
  });
});

describe('a property that a part documents otherwise', () => {
  it('is checked by the part alone', () => {
    const check = new SchemaValidator(bodyOf(Purse, { card: plainCard }));
    const rest = { cards: [], code: 'a', lock: {} };
    expect(check.check({ ...rest, card: { pin: 'a' } })).toEqual([]);
    expect(check.check({ ...rest, card: { pin: 'a', more: 1 } })).toMatchObject([
      { path: '/card/more' },
    ]);
    const closed = bodyOf(Purse, { card: { type: 'object', properties: { label: text } } });
    expect(new SchemaValidator(closed).check({ ...rest, card: { pin: 'a' } })).toHaveLength(1);
  });

  it('says nothing of what it was, unless that was secret', () => {
    const schema = bodyOf(Shop, { label: plainCard });
    expect(schema.properties?.['label']).toEqual({
      ...plainCard,
      title: 'Label',
      additionalProperties: false,
    });
    expect(hasSensitive(schema)).toBe(false);
  });
});
