import { Transform } from 'class-transformer';

/** Leaves a property's JSON as it was sent; class-transformer would copy it and drop keys. */
export function KeepJson(): PropertyDecorator {
  return Transform(({ obj, key }: { obj: Record<string, unknown>; key: string }) => obj[key], {
    toClassOnly: true,
  });
}
