import { isJsonObject, type JsonObject, type PendingAction } from '../../message';
import type { ChatAction } from '../../run';
import { mustBe, nameAt, objectAt, objectsAt } from '../body';

/** The answer to one interrupt. */
export interface ResumeEntry {
  readonly interruptId: string;
  readonly isCancelled: boolean;
  readonly isApproved: boolean;
  readonly reason?: string;
  readonly editedArgs?: JsonObject;
}

/** Far above what one step asks for. */
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
      ...verdictOf(status === 'cancelled' ? undefined : payload, `${at}/payload`),
    };
  });
}

/** Only an explicit `approved: true` approves: any other payload is a refusal, so it is not checked. */
function verdictOf(
  payload: unknown,
  at: string,
): Pick<ResumeEntry, 'isApproved' | 'reason' | 'editedArgs'> {
  const { approved, reason, editedArgs } = isJsonObject(payload) ? payload : {};
  if (approved === true) {
    const input = objectAt(editedArgs, `${at}/editedArgs`);
    return { isApproved: true, ...(input && { editedArgs: input }) };
  }
  return { isApproved: false, ...(typeof reason === 'string' && reason !== '' && { reason }) };
}

/** An entry as the answer to the approval that it names. */
export function verdictAction({ callId }: PendingAction, entry: ResumeEntry): ChatAction {
  const { isApproved, reason, editedArgs } = entry;
  if (isApproved) return { callId, type: 'approve', ...(editedArgs && { input: editedArgs }) };
  return { callId, type: 'reject', ...(reason !== undefined && { reason }) };
}
