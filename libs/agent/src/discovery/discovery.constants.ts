/** Injection token of the `ScanOptions` passed to `forRoot`. */
export const SCAN_OPTIONS = Symbol('nestjs-agent:scan-options');

/** Injection token of the `ExposedController[]` passed to `forRoot`. */
export const EXPOSED_CONTROLLERS = Symbol('nestjs-agent:exposed-controllers');
