// class-validator executes validations with a class of this module, for which it exports no types.
declare module 'class-validator/cjs/validation/ValidationExecutor' {
  import type { ValidationError, Validator, ValidatorOptions } from 'class-validator';

  export class ValidationExecutor {
    readonly awaitingPromises: readonly Promise<unknown>[];
    constructor(validator: Validator, options?: ValidatorOptions);
    execute(object: object, schemaName: string | undefined, errors: ValidationError[]): void;
    stripEmptyErrors(errors: ValidationError[]): ValidationError[];
  }
}
