// The stages around an invocation: time-out, retry, breaker, cache, interceptors.
export { inTime } from './in-time';
export { Breaker } from './breaker.stage';
export { cacheStage } from './cache.stage';
export { interceptorStage } from './interceptor.stage';
export { invokeTool } from './invoke.stage';
export { retryStage } from './retry.stage';
export { chain, type LastStage } from './stage.interface';
export { timeoutStage } from './timeout.stage';
export { type ToolInterceptor } from './tool-interceptor.interface';
