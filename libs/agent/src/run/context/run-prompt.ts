import { defined } from '../../internal';
import { inTime } from '../../invocation';
import type { SystemPrompt } from '../request';
import type { RunContext } from './run-context';

/** The application's prompt for a run. A function has 30 s, or until the run is aborted. */
export async function promptFor(run: RunContext, prompt: SystemPrompt): Promise<string> {
  if (typeof prompt === 'string') return prompt;
  const { principal, request, sessionId, runId } = run;
  const context = defined({ runId, principal, request, sessionId });
  return inTime(prompt(context), run.abort.signal, 'systemPrompt');
}
