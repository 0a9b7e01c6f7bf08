import { ValidateBy } from 'class-validator';
import { isJsonObject } from '../../message';

const WORDS: ReadonlySet<unknown> = new Set(['auto', 'none', 'required']);

/** `auto`, `none`, `required` or `{ name }`. */
export function IsToolChoice(): PropertyDecorator {
  return ValidateBy({
    name: 'isToolChoice',
    validator: {
      validate: (value: unknown) => WORDS.has(value) || isNamedChoice(value),
      defaultMessage: (args) =>
        `${args?.property ?? 'toolChoice'} must be "auto", "none", "required" or { "name": a tool's name }`,
    },
  });
}

function isNamedChoice(value: unknown): boolean {
  return isJsonObject(value) && typeof value.name === 'string' && Object.keys(value).length === 1;
}
