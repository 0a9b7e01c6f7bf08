import type { Type } from '@nestjs/common';
import { Transform } from 'class-transformer';

const KEPT = Symbol('nestjs-agent:kept-json');

/** Keeps a property's JSON unchanged; class-transformer would copy it and drop keys. */
export function KeepJson(): PropertyDecorator {
  const keep = Transform(
    ({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key],
    { toClassOnly: true },
  );
  return (target, property) => {
    Reflect.defineMetadata(KEPT, true, target, property);
    keep(target, property);
  };
}

/** Whether this property of the DTO is kept as raw JSON. */
export function isKeptJson(type: Type<object>, property: string): boolean {
  return Reflect.hasMetadata(KEPT, type.prototype as object, property);
}
