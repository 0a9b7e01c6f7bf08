import { ValidationPipe } from '@nestjs/common';
import { isA } from '../../internal';
import type { ValidationRule } from '../metadata';

/** The values of a field that stay unchecked: where it is absent, or `null` as well. */
export type SkippedValues = 'absent' | 'nullish';

/** The options of a `ValidationPipe` that leave values unchecked. */
interface SkippingPipe {
  readonly validatorOptions?: {
    readonly skipMissingProperties?: boolean;
    readonly skipNullProperties?: boolean;
    readonly skipUndefinedProperties?: boolean;
  };
}

/** The values that every `ValidationPipe` of some pipes skips; `undefined` if one checks all, or without any. */
export function skippedValues(pipes: readonly unknown[]): SkippedValues | undefined {
  const skipped = pipes.filter((pipe) => isA(pipe, ValidationPipe)).map(skippedBy);
  if (skipped.length === 0 || skipped.includes(undefined)) return undefined;
  return skipped.includes('absent') ? 'absent' : 'nullish';
}

/** The options of a class are unknown: it is assumed to check all. */
function skippedBy(pipe: unknown): SkippedValues | undefined {
  const { validatorOptions: options = {} } = pipe as SkippingPipe;
  if (options.skipMissingProperties === true) return 'nullish';
  if (options.skipUndefinedProperties !== true) return undefined;
  return options.skipNullProperties === true ? 'nullish' : 'absent';
}

/** A property's rules where some values are not checked, unless with `@IsDefined()`. */
export function withSkipped(
  rules: readonly ValidationRule[],
  skipped: SkippedValues,
): readonly ValidationRule[] {
  const isChecked = rules.some(({ kind }) => kind === 'isDefined');
  return rules.length === 0 || isChecked ? rules : [...rules, CONDITIONS[skipped]];
}

const CONDITION = {
  kind: 'conditionalValidation',
  each: false,
  isConditional: false,
  constraint: undefined,
  message: undefined,
};

const CONDITIONS: Readonly<Record<SkippedValues, ValidationRule>> = {
  /** As `@IsOptional()`. */
  nullish: { ...CONDITION, name: 'isOptional', constraints: [] },
  /** As `@ValidateIf((_, value) => value !== undefined)`. */
  absent: {
    ...CONDITION,
    name: 'conditionalValidation',
    constraints: [(_: object, value: unknown) => value !== undefined],
  },
};
