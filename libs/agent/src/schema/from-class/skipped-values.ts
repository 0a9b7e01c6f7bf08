import { ValidationPipe } from '@nestjs/common';
import type { ValidationRule } from '../metadata';

/** The options of a `ValidationPipe` that leave missing values unchecked. */
interface SkippingPipe {
  readonly validatorOptions?: {
    readonly skipMissingProperties?: boolean;
    readonly skipUndefinedProperties?: boolean;
  };
}

/** Whether pipes validate, and none of them checks missing values. */
export function skipMissing(pipes: readonly unknown[]): boolean {
  const validating = pipes.filter(
    (pipe) => pipe === ValidationPipe || pipe instanceof ValidationPipe,
  );
  return validating.length > 0 && validating.every(skipsMissing);
}

function skipsMissing(pipe: unknown): boolean {
  const { validatorOptions: options } = pipe as SkippingPipe;
  return options?.skipMissingProperties === true || options?.skipUndefinedProperties === true;
}

/** A property's rules where missing values are not checked: as with `@IsOptional()`, unless with `@IsDefined()`. */
export function withMissingSkipped(rules: readonly ValidationRule[]): readonly ValidationRule[] {
  const isChecked = rules.some(({ kind }) => kind === 'isDefined');
  return rules.length === 0 || isChecked ? rules : [...rules, OPTIONAL];
}

/** As `@IsOptional()`. */
const OPTIONAL: ValidationRule = {
  kind: 'conditionalValidation',
  name: 'isOptional',
  constraints: [],
  each: false,
  isConditional: false,
  constraint: undefined,
  message: undefined,
};
