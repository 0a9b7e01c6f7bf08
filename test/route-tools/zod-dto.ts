import type { Type } from '@nestjs/common';
import { BadRequestException, type PipeTransform } from '@nestjs/common';
import * as z from 'zod';

/** A class of the shape that `createZodDto` of nestjs-zod 5 makes, with what it tells swagger. */
export function createZodDto<Schema extends z.ZodObject>(
  schema: Schema,
  { codec }: { readonly codec: boolean } = { codec: false },
): Type<z.infer<Schema>> {
  class AugmentedZodDto {
    static readonly isZodDto = true;
    static readonly schema = schema;
    static readonly codec = codec;

    static _OPENAPI_METADATA_FACTORY(): Record<string, object> {
      // Fails for a type without JSON Schema, such as a date.
      const { properties = {}, required } = z.toJSONSchema(schema, { io: 'input' });
      return Object.fromEntries(
        Object.entries(properties).map(([name, property]) => {
          const isRequired = required?.includes(name) ?? false;
          const { type } = property as z.core.JSONSchema.JSONSchema;
          const flag = type === 'object' ? { selfRequired: isRequired } : { required: isRequired };
          return [name, { ...(property as object), type: type ?? '', ...flag }];
        }),
      );
    }
  }
  return AugmentedZodDto as unknown as Type<z.infer<Schema>>;
}

/** As nestjs-zod's global pipe: a DTO's own schema checks what is sent. */
export class ZodValidationPipe implements PipeTransform {
  transform(value: unknown, { metatype }: { readonly metatype?: unknown }): unknown {
    const { isZodDto, schema } = (metatype ?? {}) as { isZodDto?: boolean; schema?: z.ZodType };
    if (isZodDto !== true || !schema) return value;
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    throw new BadRequestException({ message: 'Validation failed', errors: error.issues });
  }
}
