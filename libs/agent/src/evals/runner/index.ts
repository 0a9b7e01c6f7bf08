// One evaluation from its first message to its report. Nothing here needs Node or Nest at run time: the
// page of the workbench runs it in a browser, the command in a process.
export { caseProblems, visible } from './case-problems';
export { CONDITION_NAMES, conditionIn } from './differences';
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
export { Evaluation } from './evaluation';
export {
  type Found,
  type Judge,
  judged,
  type Judgement,
  JUDGEMENT_MS,
  undecided,
} from './judgement';
export type { EvaluatedAgent } from './take-turn';
