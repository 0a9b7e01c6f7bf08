import { untilAborted } from '../../invocation';
import type { SystemPrompt } from '../request';
import type { RunContext } from './run-context';

/** The application's own prompt for a run. A function may take its time, but not outlast the run. */
export async function promptFor(run: RunContext, prompt: SystemPrompt): Promise<string> {
  if (typeof prompt === 'string') return prompt;
  const { principal, request, sessionId, runId } = run;
  const context = {
    runId,
    ...(principal !== undefined && { principal }),
    ...(request !== undefined && { request }),
    ...(sessionId !== undefined && { sessionId }),
  };
  return untilAborted(Promise.resolve(prompt(context)), run.abort.signal);
}
