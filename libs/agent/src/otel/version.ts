/** The instrumentation scope. */
export const SCOPE = 'nestjs-agent';

/** The package's version, for the instrumentation scope. A test compares it with the manifest. */
export const VERSION = '0.1.0';
