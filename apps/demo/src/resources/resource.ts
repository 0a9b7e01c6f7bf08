export const RESOURCE_TYPES = ['database', 'cache', 'queue', 'bucket', 'route'] as const;
export type ResourceType = (typeof RESOURCE_TYPES)[number];

/** Something an application needs to run. */
export interface Resource {
  readonly id: string;
  readonly application: string;
  readonly type: ResourceType;
  readonly health: 'healthy' | 'degraded';
}
