import type { EvalFile, EvalSummary, EvaluatedAgent, EvaluateOptions } from './cases';
import { checkEvaluation } from './evaluation-checks';
import { limitedJudge } from './limited-judge';
import { Evaluation } from './runner';

/**
 * Sends the file's messages to the agent, and compares its calls and answers with the expected ones.
 * Each attempt is a conversation of its own, which stays in the session store.
 *
 * @experimental
 * @param agent the agent: an `AgentService`
 * @param file the cases; `checkEvals` checks those from outside
 * @param options the callers, and how often and how fast they ask
 * @throws InvalidEvalsError if the file or an option is invalid
 * @example
 * import { evaluate, type EvalFile } from 'nestjs-agent/evals';
 *
 * async function isGood(agent: AgentService, file: EvalFile): Promise<boolean> {
 *   const { passed } = await evaluate(agent, file, { caller: () => ({ principal: 'alice' }) });
 *   return passed;
 * }
 */
export async function evaluate(
  agent: EvaluatedAgent,
  file: EvalFile,
  options: EvaluateOptions = {},
): Promise<EvalSummary> {
  checkEvaluation(file, options);
  return new Evaluation(agent, file, options, limitedJudge()).run();
}
