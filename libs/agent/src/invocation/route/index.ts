export * from './route-options.interface';
export * from './route.constants';
export * from './route.invoker';
export { isUndeclared } from './input';
