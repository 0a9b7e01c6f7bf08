import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
export const source = join(root, 'libs/agent');

/** The folder that `npm publish` would take. */
export const built = join(root, 'dist/nestjs-agent');

/** The native compiler: it emits what typescript does, for which the tools need its API. */
export const compiler = join(root, 'node_modules/typescript-7/bin/tsc');
