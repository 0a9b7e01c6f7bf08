import { applyDecorators } from '@nestjs/common';
import { Type } from 'class-transformer';
import {
  Allow,
  IsArray,
  IsNotEmpty,
  IsNumber,
  IsObject,
  IsOptional,
  IsString,
  Max,
  Min,
  ValidateNested,
} from 'class-validator';
import { DocumentedField, OPTIONAL_TEXT, type Dto } from '../answers';
import { KeepJson } from './keep-json.decorator';

// Kinds of fields, with their description. The order of the rules is that of their messages.

export function RequiredText(description: string): PropertyDecorator {
  return applyDecorators(IsNotEmpty(), IsString(), DocumentedField(description, { type: String }));
}

export function OptionalText(
  description: string,
  ...rules: readonly PropertyDecorator[]
): PropertyDecorator {
  const field = DocumentedField(description, OPTIONAL_TEXT);
  return applyDecorators(...rules, IsString(), IsOptional(), field);
}

/** A number from 0. */
export function OptionalNumber(description: string, max: number): PropertyDecorator {
  const field = DocumentedField(description, { type: Number, required: false });
  return applyDecorators(Max(max), Min(0), IsNumber(), IsOptional(), field);
}

/** Any JSON, with all its keys, or none. */
export function AnyJson(description: string): PropertyDecorator {
  const field = DocumentedField(description, { type: Object, required: false });
  return applyDecorators(Allow(), KeepJson(), field);
}

export function OptionalObject(description: string): PropertyDecorator {
  return applyDecorators(IsObject(), IsOptional(), AnyJson(description));
}

export function OptionalList(
  item: Dto,
  description: string,
  ...rules: readonly PropertyDecorator[]
): PropertyDecorator {
  const field = DocumentedField(description, { type: [item], required: false });
  const items = applyDecorators(
    Type(() => item),
    ValidateNested({ each: true }),
  );
  return applyDecorators(items, ...rules, IsArray(), IsOptional(), field);
}

/** A plain copy of a DTO, without keys that are missing or `null`. */
export function withoutNulls<T extends object>(dto: T): T {
  const entries = Object.entries(dto).filter(([, value]) => value !== undefined && value !== null);
  return Object.fromEntries(entries) as T;
}
