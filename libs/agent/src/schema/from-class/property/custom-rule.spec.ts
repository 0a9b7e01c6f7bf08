import {
  registerDecorator,
  Validate,
  ValidateBy,
  ValidatorConstraint,
  type ValidationArguments,
  type ValidationOptions,
  type ValidatorConstraintInterface,
} from 'class-validator';
import { schemaOf } from '../schema-of';

interface Users {
  nameOf(id: string): string;
}

@ValidatorConstraint({ name: 'isFreeName', async: true })
class IsFreeName implements ValidatorConstraintInterface {
  constructor(private readonly users: Users) {}

  validate(name: string): boolean {
    return this.users.nameOf(name) === '';
  }

  defaultMessage({ property, value }: ValidationArguments): string {
    return `${property} is taken: ${String(value)}`;
  }
}

@ValidatorConstraint()
class IsKnown implements ValidatorConstraintInterface {
  constructor(private readonly users: Users) {}

  validate(id: string): boolean {
    return this.users.nameOf(id) !== '';
  }

  defaultMessage(): string {
    return this.users.nameOf('');
  }
}

function registered(message: string, options?: ValidationOptions): PropertyDecorator {
  return (target, propertyName) => {
    registerDecorator({
      target: target.constructor,
      propertyName: propertyName as string,
      constraints: [3, ['a', 'b']],
      ...(options && { options }),
      validator: { validate: () => true, defaultMessage: () => message },
    });
  };
}

describe("the description of an application's own rule", () => {
  it.each([
    [
      'a class that needs injection',
      Validate(IsFreeName),
      'checked by isFreeName: the value is taken: the value',
    ],
    ['a message that needs injection', Validate(IsKnown), 'checked by IsKnown'],
    [
      'a rule without a name',
      registered('$property has $constraint1 of $constraint2, not $constraint3'),
      'the value has 3 of a, b, not $constraint3',
    ],
    ['a rule without a message', registered(''), undefined],
    [
      'a message of the property itself',
      registered('$value is odd', { message: '$property must have $constraint1' }),
      'the value must have 3',
    ],
    [
      'a message that is no text',
      ValidateBy({
        name: 'isEven',
        validator: { validate: () => true, defaultMessage: () => ({ key: 'even' }) as never },
      }),
      'checked by isEven',
    ],
  ])('%s', (_rule, decorator, description) => {
    class Input {
      @decorator
      value!: string;
    }
    expect(schemaOf(Input).properties?.['value']?.description).toBe(description);
  });
});
