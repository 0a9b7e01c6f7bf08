// One evaluation from its first message to its report. Nothing here needs Node or Nest at run time: the
// page of the workbench runs it in a browser, the command in a process.
export { CONDITION_NAMES, conditionIn } from './differences';
export { Evaluation } from './evaluation';
export {
  type Found,
  type Judge,
  judged,
  type Judgement,
  JUDGEMENT_MS,
  undecided,
} from './judgement';
