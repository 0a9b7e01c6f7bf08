import { rm } from 'node:fs/promises';
import { packedFolder } from './packed-package';

export default function teardown(): Promise<void> {
  return rm(packedFolder(), { recursive: true, force: true });
}
