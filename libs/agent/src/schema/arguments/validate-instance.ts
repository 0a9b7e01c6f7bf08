import {
  getMetadataStorage,
  type MetadataStorage,
  type ValidationError,
  Validator,
  type ValidatorOptions,
} from 'class-validator';
import { ValidationExecutor } from 'class-validator/cjs/validation/ValidationExecutor';
import { isClass, targetMetadatasOf } from '../metadata';

/**
 * The result of class-validator's `validate`, at a cost that does not grow with the application:
 * for each object, `validate` searches every decorated class of the process.
 *
 * @throws synchronously any error of a rule: `@IsNumber({ maxDecimalPlaces: 2 })` throws for 5e-324
 */
export function validateInstance(
  instance: object,
  options: Pick<ValidatorOptions, 'groups' | 'forbidUnknownValues' | 'validationError'>,
): Promise<readonly ValidationError[]> {
  const executor = new ValidationExecutor(validator, options);
  // If a release renames the field, the executor keeps its own storage: slower, equally correct.
  Reflect.set(executor, 'metadataStorage', storage);
  const errors: ValidationError[] = [];
  try {
    executor.execute(instance, undefined, errors);
  } catch (error) {
    // Started checks are abandoned; their rejections must not be unhandled.
    void Promise.allSettled(executor.awaitingPromises);
    throw error;
  }
  return Promise.all(executor.awaitingPromises).then(() => executor.stripEmptyErrors(errors));
}

const validator = new Validator();

const storage = lookingUpByClass(getMetadataStorage());

/** class-validator's storage, with a faster lookup of a class's rules. */
function lookingUpByClass(whole: MetadataStorage): MetadataStorage {
  const answer: MetadataStorage['getTargetValidationMetadatas'] = (type, schema, ...others) => {
    const [always, strictGroups, groups = []] = others;
    // A value's `constructor` may be anything.
    return isClass(type) && typeof type.prototype === 'object' && !always && !strictGroups
      ? [...targetMetadatasOf(type, groups, whole)]
      : whole.getTargetValidationMetadatas(type, schema, ...others);
  };
  return Object.create(whole, { getTargetValidationMetadatas: { value: answer } }) as typeof whole;
}
