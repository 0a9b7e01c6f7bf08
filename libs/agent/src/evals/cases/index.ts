// The input and the results of an evaluation; all of it is public. It needs neither Node nor Nest,
// because the page of the workbench imports it too.
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
export type { EvaluatedAgent, EvaluateOptions } from './evaluate-options';
