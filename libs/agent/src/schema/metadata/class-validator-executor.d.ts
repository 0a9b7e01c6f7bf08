// class-validator keeps what carries out a validation in a module that it does not export types for
// under this path.
declare module 'class-validator/cjs/validation/ValidationExecutor' {
  import type { ValidationError, Validator, ValidatorOptions } from 'class-validator';

  export class ValidationExecutor {
    readonly awaitingPromises: readonly Promise<unknown>[];
    constructor(validator: Validator, options?: ValidatorOptions);
    execute(object: object, schemaName: string | undefined, errors: ValidationError[]): void;
    stripEmptyErrors(errors: ValidationError[]): ValidationError[];
  }
}
