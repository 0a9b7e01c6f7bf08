import { resolveRef, someSchema } from '../../schema';
import type { JsonSchema } from '../../tool';

/** Whether a schema reaches itself through its references. */
export function isRecursive(root: JsonSchema): boolean {
  const finished = new Set<string>();
  const open = new Set<string>();
  const reachesItself = (part: JsonSchema): boolean => {
    if (someSchema(part, reachesItself)) return true;
    const { $ref } = part;
    if ($ref === undefined || finished.has($ref)) return false;
    if ($ref === '#' || open.has($ref)) return true;
    open.add($ref);
    const found = reachesItself(resolveRef({ $ref }, root));
    open.delete($ref);
    finished.add($ref);
    return found;
  };
  return reachesItself(root);
}
