/**
 * Evaluation of an agent's tool calls: messages, with the calls and answers that they must lead to.
 * The command `nestjs-agent eval` runs files of them.
 *
 * @module nestjs-agent/evals
 */
// For everything that runs evaluations: the command, the workbench, a test. No terminal, no reports.
export * from './cases';
export { checkEvals } from './evaluation-checks';
export type { CallerHeaders, EvalConfig, EvaluatedApplication } from './eval-config';
export { evaluate } from './evaluate';
export { InvalidEvalsError } from './invalid-evals.error';
export { readEvals } from './read-evals';
