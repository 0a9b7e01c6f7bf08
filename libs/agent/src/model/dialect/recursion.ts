import { mapSchemas, resolveRef } from '../../schema';
import type { JsonSchema } from '../../tool';

/** Whether a schema reaches itself through its references. */
export function isRecursive(root: JsonSchema): boolean {
  const finished = new Set<string>();
  const open = new Set<string>();
  const reachesItself = (part: JsonSchema): boolean => {
    let found = false;
    mapSchemas(part, (inner) => {
      found ||= reachesItself(inner);
      return inner;
    });
    const { $ref } = part;
    if (found || $ref === undefined || finished.has($ref)) return found;
    if ($ref === '#' || open.has($ref)) return true;
    open.add($ref);
    found = reachesItself(resolveRef({ $ref }, root));
    open.delete($ref);
    finished.add($ref);
    return found;
  };
  return reachesItself(root);
}
