export const WORKFLOW_STATUSES = ['running', 'completed', 'failed'] as const;
export type WorkflowStatus = (typeof WORKFLOW_STATUSES)[number];

/** One run of a pipeline: a deployment, a roll-back, a nightly job. */
export interface Workflow {
  readonly id: number;
  readonly name: string;
  readonly application: string;
  readonly status: WorkflowStatus;
  /** ISO 8601. */
  readonly startedAt: string;
  readonly durationSeconds?: number;
  /** The error of a failed workflow. */
  readonly error?: string;
}
