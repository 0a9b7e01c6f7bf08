import * as ts from 'typescript';
import { Refusal, type Template } from './template';

/**
 * A tuple as an array with a schema for each place.
 *
 * @param elements the templates of its elements, by place
 * @throws Refusal for elements after a rest element, whose position JSON Schema cannot express
 */
export function tupleOf({ elementFlags }: ts.TupleType, elements: readonly Template[]): Template {
  const fixed: Template[] = [];
  let least = 0;
  let rest: Template | undefined;
  for (const [index, template] of elements.entries()) {
    const flag = elementFlags[index] ?? ts.ElementFlags.Required;
    if ((flag & ts.ElementFlags.Variable) !== 0) rest = template;
    else if (rest !== undefined)
      throw new Refusal(
        'is a tuple with elements after its rest, which JSON Schema cannot say',
        'Put the rest last, or take an object',
      );
    else {
      fixed.push(template);
      if ((flag & ts.ElementFlags.Required) !== 0) least = index + 1;
    }
  }
  return {
    type: 'array',
    ...(fixed.length > 0 && { prefixItems: fixed }),
    minItems: least,
    ...(rest ? { items: rest } : { items: false, maxItems: fixed.length }),
  };
}
