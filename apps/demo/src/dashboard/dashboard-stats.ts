/** The platform in five numbers, as far as one user sees it. */
export interface DashboardStats {
  readonly applications: number;
  readonly degradedApplications: number;
  readonly runningWorkflows: number;
  readonly failedWorkflows: number;
  readonly resources: number;
}
