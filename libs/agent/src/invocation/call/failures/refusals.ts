import { shortened } from '../../../internal';
import { AgentError, type ToolResponseStatus } from '../../../tool';
import { SHOWN_NAME_CHARS } from '../../invocation.constants';

/** The error of a call that does not run. */
export class RefusedCallError extends AgentError {
  constructor(
    readonly status: Extract<ToolResponseStatus, 'not_found' | 'declined'>,
    code: string,
    message: string,
  ) {
    super(code, message);
  }
}

/** No offered tool has that name. */
export function unknownTool(name: string): RefusedCallError {
  return new RefusedCallError(
    'not_found',
    'not_found',
    `There is no tool "${shortened(name, SHOWN_NAME_CHARS)}". Use one of the tools you were given.`,
  );
}

/** @param isSelectable whether the model can activate the group itself */
export function inactiveGroup(
  name: string,
  group: string,
  isSelectable: boolean,
): RefusedCallError {
  return new RefusedCallError(
    'declined',
    'group_inactive',
    `The tool "${name}" belongs to the group "${group}", which is not active.${isSelectable ? ' Activate it with reset_equipped_tools first.' : ''}`,
  );
}

/** @param reason the caller's text */
export function declined(name: string, reason = ''): RefusedCallError {
  const text = `The user declined this call of "${name}". It was not run.`;
  const words = reason.trim() === '' ? '' : ` The user's reason: ${reason}`;
  return new RefusedCallError('declined', 'declined', text + words);
}

/** The tool has changed since the approval. The call failed; it was not declined. */
export function toolChanged(name: string): AgentError {
  return new AgentError(
    'tool_changed',
    `The tool "${name}" has changed since the user was asked to approve this call. It was not run. If the call is still needed, make it again for the tool as it is now.`,
  );
}

export function permissionDenied(name: string): RefusedCallError {
  return new RefusedCallError(
    'declined',
    'permission_denied',
    `Permission denied: the tool "${name}" may not be used for this call.`,
  );
}
