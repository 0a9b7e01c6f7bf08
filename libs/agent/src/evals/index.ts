/**
 * Evaluation of an agent's tool calls: messages, with the calls and answers that they must lead to.
 * The command `nestjs-agent eval` runs files of them.
 *
 * @module nestjs-agent/evals
 */
// Whatever runs evaluations enters here: the command, a page, a test. Nothing of files or terminals.
export { checkEvals } from './evaluation-checks';
export type { CallerHeaders, EvalConfig, EvaluatedApplication } from './eval-config';
export {
  type Approvals,
  casesOf,
  type EvalCase,
  type EvalFile,
  type EvalTurn,
  type ExpectedCall,
  type ExpectedText,
  type ExpectedValue,
  type NamedCase,
} from './eval-file';
export type {
  AttemptResult,
  CaseOutcome,
  CaseResult,
  EvalSummary,
  MadeCall,
  TurnResult,
} from './eval-result';
export { evaluate, type EvaluateOptions } from './evaluate';
export { InvalidEvalsError } from './invalid-evals.error';
export type { EvaluatedAgent } from './take-turn';
