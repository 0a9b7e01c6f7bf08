import { Type } from 'class-transformer';
import {
  ArrayMinSize,
  IsArray,
  IsEmail,
  IsEnum,
  IsInt,
  IsISO8601,
  IsOptional,
  IsUUID,
  Max,
  Min,
  MinLength,
  ValidateNested,
} from 'class-validator';
import { schemaOf, SchemaValidator } from '../../schema';
import { structuredAnswer } from './structured-answer';

enum Mood {
  good = 'good',
  bad = 'bad',
}

class Line {
  @IsInt()
  @Min(1)
  quantity!: number;

  @MinLength(3)
  sku!: string;
}

class Order {
  @IsEmail()
  mail!: string;

  @IsEnum(Mood)
  mood!: Mood;

  @IsInt()
  @Max(-5)
  low!: number;

  @IsISO8601()
  at!: string;

  @IsUUID()
  id!: string;

  @MinLength(20)
  note!: string;

  @IsArray()
  @ArrayMinSize(1)
  @ValidateNested({ each: true })
  @Type(() => Line)
  lines!: Line[];

  @IsOptional()
  @IsInt()
  floor?: number;
}

describe('structuredAnswer', () => {
  it('fits the schema, whatever the request names', () => {
    const schema = schemaOf(Order);
    const answer = structuredAnswer(schema, 'A bad order of 3 for ada, low 7');
    expect(new SchemaValidator(schema).check(answer)).toEqual([]);
    expect(answer).toMatchObject({ mood: 'bad', lines: [{ quantity: 1 }] });
    expect(answer).not.toHaveProperty('floor');
  });

  it('has the values of the request', () => {
    const properties = { city: { type: 'string' }, days: { type: 'integer' } };
    const schema = { type: 'object', properties, required: ['city', 'days'] };
    expect(structuredAnswer(schema, 'The weather in Paris for 3 days')).toEqual({
      city: 'Paris',
      days: 3,
    });
  });

  it('is an example where the request has none', () => {
    const properties = { city: { type: 'string' }, isWarm: { type: 'boolean' } };
    const schema = { type: 'object', properties, required: ['city', 'isWarm'] };
    expect(new SchemaValidator(schema).check(structuredAnswer(schema, 'Well?'))).toEqual([]);
  });
});
