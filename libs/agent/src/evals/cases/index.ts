// What goes into an evaluation and what comes out of it; all of it is public. It needs neither Node nor
// Nest, for the page of the workbench reads it too.
export { caseProblems, visible } from './case-problems';
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
export type { EvaluateOptions } from './evaluate-options';
export type { EvaluatedAgent } from './evaluated-agent';
