// Converts the compiler's types to templates: JSON Schema, with `$of` for types that JSON Schema
// lacks. Nothing here depends on tools or emits code.
export { commentOf, deprecationOf, exampleOf, firstParagraph, parameterComment } from './comments';
export { classOf, extended, isBuiltin, isGeneric, isPublic, isStatic } from './declared';
export { describable } from './describable';
export { whyNotData } from './kinds';
export { says } from './known-types';
export { isUnseen, takesUndefined, targetOf } from './symbols';
export { ClassReference, Refusal, type Template, type TemplateValue } from './template';
export { TypeDescriber, type TypeScope } from './type-describer';
