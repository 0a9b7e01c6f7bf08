// A value against its schema: validation, the issues a model reads, and typed instances of DTO
// classes.
export { omitNulls } from './omit-nulls';
export { parseArguments } from './parse-arguments';
export { SchemaValidator } from './schema-validator';
export { areOnlyChecks, isTransformed, type TextProblem, textProblemsOf } from './text-problems';
export { toInstance } from './to-instance';
export { zodTextProblemOf } from './zod-text-problem';
