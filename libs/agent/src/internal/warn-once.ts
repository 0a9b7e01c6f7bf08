import type { Logger } from '@nestjs/common';

/** The logged texts, by application. */
const logged = new WeakMap<object, Set<string>>();

/**
 * Logs a warning once for each application: several of its modules may have the reason for it.
 *
 * @param application the application's `ModulesContainer`, which all its modules share
 */
export function warnOnce(application: object, logger: Logger, text: string): void {
  const known = logged.get(application) ?? new Set<string>();
  if (known.has(text)) return;
  logged.set(application, known.add(text));
  logger.warn(text);
}
