// Approvals of calls by the host's user: the question, and the signed state that a client carries.
export { type ApprovalAnswer, approvalAnswer, approvalQuestion } from './approval-question';
export { ApprovalStates, type ApprovedCall, LONGEST_APPROVAL_MS } from './approval-state';
export { UsedApprovals } from './used-approvals';
