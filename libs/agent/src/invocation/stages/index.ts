// The stages around an invocation: time-out, retry, breaker, cache, interceptors.
export { inTime } from './in-time';
export { BreakerStage } from './breaker.stage';
export { CacheStage } from './cache.stage';
export { InterceptorStage } from './interceptor.stage';
export { invokeTool } from './invoke.stage';
export { RetryStage } from './retry.stage';
export { chain, type LastStage } from './stage.interface';
export { TimeoutStage } from './timeout.stage';
export { type ToolInterceptor } from './tool-interceptor.interface';
