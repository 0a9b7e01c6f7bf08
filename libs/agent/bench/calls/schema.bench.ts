import 'reflect-metadata';
import { setTimeout } from 'node:timers/promises';
import type { Type as ClassType } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  IsArray,
  IsBoolean,
  IsDate,
  IsEmail,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Length,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { bench, run } from 'mitata';
import { describeMethodInput, Tool, ToolParam } from '../../src/decorators';
import { parseArguments, schemaOf, SchemaValidator, toInstance } from '../../src/schema';
import { coldMilliseconds, cpuMicros } from '../support/cpu-time';

enum Tier {
  Free = 'free',
  Paid = 'paid',
}

class AddressDto {
  @IsString()
  street!: string;

  @IsString()
  @Length(5, 5)
  zip!: string;
}

/** Ten fields, one of them an object and one a list. */
class CreateAccountDto {
  @IsString()
  @Length(2, 40)
  name!: string;

  @IsEmail()
  email!: string;

  @IsInt()
  @Min(0)
  @Max(150)
  age!: number;

  @IsEnum(Tier)
  tier!: Tier;

  @IsBoolean()
  active!: boolean;

  @IsOptional()
  @IsString()
  note?: string;

  @IsDate()
  @Type(() => Date)
  since!: Date;

  @IsArray()
  @IsString({ each: true })
  tags!: string[];

  @ValidateNested()
  @Type(() => AddressDto)
  address!: AddressDto;

  @IsInt()
  @Min(1)
  seats = 1;
}

const input = {
  name: 'Ann Example',
  email: 'ann@example.com',
  age: 42,
  tier: 'paid',
  active: true,
  note: 'none',
  since: '2024-05-01T10:30:00Z',
  tags: ['a', 'b'],
  address: { street: 'Main Street 1', zip: '12345' },
  seats: 3,
};

/** A provider of one tool with a DTO of its own, as a large application has many. */
function makeProvider(index: number): ClassType<unknown> {
  class ItemDto {
    @IsString()
    @Length(1, 20)
    name!: string;

    @IsOptional()
    @IsInt()
    @Min(index)
    count?: number;

    @ValidateNested()
    @Type(() => AddressDto)
    address!: AddressDto;
  }
  class Tools {
    @Tool({ description: 'Create an item' })
    create(@ToolParam('item') item: ItemDto, @ToolParam('dry') dry: boolean): unknown {
      return { item, dry };
    }
  }
  return Tools;
}

async function main(): Promise<void> {
  const validator = new SchemaValidator(schemaOf(CreateAccountDto));
  const accept = (): Promise<unknown> =>
    toInstance(CreateAccountDto, validator.accept(parseArguments(input)));
  await cpuMicros(2_000, accept);
  const perCall = await cpuMicros(10_000, accept);
  const checkOnly = await cpuMicros(10_000, () => validator.accept(parseArguments(input)));

  const providers = Array.from({ length: 1_000 }, (_, index) => makeProvider(index));
  // V8 still compiles the earlier setup code in the background, which is no cost of the schemas.
  await setTimeout(1_000);
  const cold = await coldMilliseconds(() => {
    for (const provider of providers)
      describeMethodInput(provider, 'create', { tool: {}, isHidden: () => false });
  });

  const afterwards = await cpuMicros(10_000, accept);
  process.stdout.write(
    [
      `validate and instantiate a ten-field nested DTO   ${perCall.toFixed(1)} µs CPU (bound: 50)`,
      `  the same beside 1 000 further DTO classes       ${afterwards.toFixed(1)} µs CPU`,
      `  guard and schema check alone                    ${checkOnly.toFixed(1)} µs CPU`,
      `schemas of 1 000 tools, from cold                 ${cold.main.toFixed(1)} ms CPU on the main thread (bound: 60)`,
      `  with what V8 compiles beside                    ${cold.all.toFixed(1)} ms CPU`,
      '',
    ].join('\n'),
  );

  if (process.argv.includes('--short')) return;
  bench('validate and instantiate', accept);
  bench('schema check alone', () => validator.accept(parseArguments(input)));
  bench('schemaOf a ten-field nested DTO', () => schemaOf(CreateAccountDto));
  await run({ colors: false });
}

void main();
