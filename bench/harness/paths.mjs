import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The folder of the comparison. */
export const folder = dirname(dirname(fileURLToPath(import.meta.url)));
