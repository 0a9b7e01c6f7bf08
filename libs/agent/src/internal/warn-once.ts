import type { Logger } from '@nestjs/common';

/** What was logged, by application. */
const logged = new WeakMap<object, Set<string>>();

/**
 * Logs a warning once for each application, which may have several modules that meet its reason.
 *
 * @param application what all modules of the application share: its `ModulesContainer`
 */
export function warnOnce(application: object, logger: Logger, text: string): void {
  const known = logged.get(application) ?? new Set<string>();
  if (known.has(text)) return;
  logged.set(application, known.add(text));
  logger.warn(text);
}
