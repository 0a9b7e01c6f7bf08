// Finds tools among the application's providers and controllers, and the URLs of its routes.
export { isSingleton } from './component';
export { type DiscoveredTool } from './discovered-tool';
export * from './discovery.constants';
export { DISCOVERY_PROVIDERS } from './discovery.providers';
export * from './routes';
export * from './scan-options.interface';
export { ToolScanner } from './tool.scanner';
