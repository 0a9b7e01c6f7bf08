import { defined } from '../../internal';
import { inTime } from '../../invocation';
import type { PromptContext, SystemPrompt } from '../request';
import type { RunContext } from './run-context';

/** The application's prompt for a run. A function has 30 s, or until the run is aborted. */
export async function promptFor(
  {
    principal,
    request,
    sessionId,
    runId,
    abort,
  }: PromptContext & Partial<Pick<RunContext, 'abort'>>,
  prompt: SystemPrompt,
): Promise<string> {
  if (typeof prompt === 'string') return prompt;
  const context = defined({ runId, principal, request, sessionId });
  return inTime(prompt(context), abort?.signal, 'systemPrompt');
}
