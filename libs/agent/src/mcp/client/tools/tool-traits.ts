import { traitsOf, type ToolTraits } from '../../../tool';
import type { McpClientToolsOptions } from '../options';
import type { ToolHints } from './remote-tool';

type Options = NonNullable<McpClientToolsOptions['options']>[string];

/**
 * A tool's traits: the application's own options, else the hints of a trusted server. A missing or
 * untrusted hint counts as the most dangerous value.
 */
export function remoteTraitsOf(hints: ToolHints, options: Options, isTrusted: boolean): ToolTraits {
  const believed = isTrusted ? hints : {};
  const readOnly = options.readOnly ?? believed.readOnly ?? false;
  return traitsOf({
    readOnly,
    destructive: options.destructive ?? (!readOnly && (believed.destructive ?? true)),
    idempotent: options.idempotent ?? believed.idempotent ?? false,
    openWorld: options.openWorld ?? believed.openWorld ?? true,
    ...(options.concurrencySafe !== undefined && { concurrencySafe: options.concurrencySafe }),
  });
}

/** Whether the application itself, not the server, says that a call may be repeated. */
export function isRepeatableBy({ readOnly, idempotent }: Options): boolean {
  return readOnly === true || idempotent === true;
}
