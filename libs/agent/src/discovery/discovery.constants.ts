/** Injection token of the `ScanOptions` that `forRoot` was given. */
export const SCAN_OPTIONS = Symbol('nestjs-agent:scan-options');

/** Injection token of the `ExposedController[]` that `forRoot` was given. */
export const EXPOSED_CONTROLLERS = Symbol('nestjs-agent:exposed-controllers');
