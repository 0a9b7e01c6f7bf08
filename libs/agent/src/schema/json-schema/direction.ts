/** `input`: what the model sends, before class-transformer; `output`: what a method's result becomes. */
export type Direction = 'input' | 'output';
