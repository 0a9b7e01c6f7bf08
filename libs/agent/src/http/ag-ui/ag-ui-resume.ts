import { isJsonObject } from '../../message';
import type { ChatAction } from '../../run';
import { mustBe, nameAt, objectAt, objectsAt } from '../body';

/** The answer to one interrupt. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly isCancelled: boolean;
  readonly verdict: Omit<ChatAction, 'callId'>;
}

/** Far more than the approvals of one step. */
const MAX_ENTRIES = 1_000;

/** @throws HttpException 400 naming the field */
export function resumeEntriesOf(resume: unknown): readonly ResumeEntry[] {
  return objectsAt(resume, 'resume', MAX_ENTRIES).map(({ interruptId, status, payload }, index) => {
    const at = `resume/${index}`;
    if (status !== 'resolved' && status !== 'cancelled') {
      throw mustBe(`${at}/status`, 'resolved or cancelled');
    }
    return {
      interruptId: nameAt(interruptId, `${at}/interruptId`),
      isCancelled: status === 'cancelled',
      verdict: verdictOf(status === 'cancelled' ? undefined : payload, `${at}/payload`),
    };
  });
}

/** Only an explicit `approved: true` approves: any other payload is a refusal, so it is not checked. */
function verdictOf(payload: unknown, at: string): ResumeEntry['verdict'] {
  const { approved, reason, editedArgs } = isJsonObject(payload) ? payload : {};
  if (approved === true) {
    const input = objectAt(editedArgs, `${at}/editedArgs`);
    return { type: 'approve', ...(input && { input }) };
  }
  return { type: 'reject', ...(typeof reason === 'string' && reason !== '' && { reason }) };
}
