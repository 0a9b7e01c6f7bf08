/** `input`: JSON from the model, before class-transformer; `output`: JSON of a method's result. */
export type Direction = 'input' | 'output';
