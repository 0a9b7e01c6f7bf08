// Nest's guards, pipes, interceptors and filters, resolved for provider tools.
export { DetachedResponse } from './detached-response';
export { GuardProbe } from './guard-probe';
export { instanceOf, isInjectableType } from './context-instances';
export { EnhancerResolver, type EnhancersOfAll } from './enhancer.resolver';
export { enhancersOn, type EnhancerReference } from './enhancer-metadata';
export { openCallScope, ScopedInstances } from './call-scope';
export { assertUnanswered, recover, statusOf, filteredError } from './filters';
export { assertAllowed } from './guards';
export { intercept } from './interceptors';
export { detachedContext } from './detached-context';
