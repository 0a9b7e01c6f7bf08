export * from './component';
export * from './component.finder';
export * from './discovered-tool.interface';
export * from './discovery.constants';
export * from './route.constants';
export * from './route.resolver';
export * from './scan-options.interface';
export * from './tool.scanner';
