// Evaluations in the page: the runner of the command, asking the chat endpoint as the logged-in user.
export { chosenOf, type EvalPlan, type EvalState, PageEvaluation } from './page-evaluation';
export { approves, expectedOf, mayWrite } from './case-texts';
export { isWorker, judgeInWorker } from './worker-judge';
