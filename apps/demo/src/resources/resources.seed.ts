import type { Resource } from './resource';

export const DEMO_RESOURCES: readonly Resource[] = [
  { id: 'demo-app-postgres', application: 'demo-app', type: 'database', health: 'degraded' },
  { id: 'demo-app-redis', application: 'demo-app', type: 'cache', health: 'healthy' },
  { id: 'demo-app-images', application: 'demo-app', type: 'bucket', health: 'healthy' },
  { id: 'demo-app-orders', application: 'demo-app', type: 'queue', health: 'healthy' },
  { id: 'demo-app-public', application: 'demo-app', type: 'route', health: 'healthy' },
  { id: 'test-service-postgres', application: 'test-service', type: 'database', health: 'healthy' },
  { id: 'test-service-redis', application: 'test-service', type: 'cache', health: 'healthy' },
  { id: 'test-service-internal', application: 'test-service', type: 'route', health: 'healthy' },
  { id: 'api-gateway-public', application: 'api-gateway', type: 'route', health: 'healthy' },
  { id: 'api-gateway-limits', application: 'api-gateway', type: 'cache', health: 'healthy' },
  { id: 'billing-postgres', application: 'billing-worker', type: 'database', health: 'healthy' },
  { id: 'billing-invoices', application: 'billing-worker', type: 'bucket', health: 'healthy' },
  { id: 'billing-jobs', application: 'billing-worker', type: 'queue', health: 'healthy' },
];
