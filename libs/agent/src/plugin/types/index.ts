// Types of the compiler's checker to templates: JSON Schema, with `$of` where JSON Schema has no
// word. Nothing here knows tools, or emits code.
export { commentOf, deprecationOf, firstParagraph, parameterComment } from './comments';
export { classOf, isPublic, isStatic } from './declared';
export { ClassReference, Refusal, type Template, type TemplateValue } from './template';
export { type Direction, TypeDescriber, type TypeScope } from './type-describer';
