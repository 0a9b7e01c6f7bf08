import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../scripts/package/paths.mjs';
import { openApiPage } from './openapi-page.mjs';

const FILE = join(root, 'dist/docs/openapi.json');

export default {
  paths() {
    if (!existsSync(FILE))
      throw new Error('There is no dist/docs/openapi.json: npm run docs:openapi');
    const document = JSON.parse(readFileSync(FILE, 'utf8'));
    return [{ params: { made: 'openapi' }, content: openApiPage(document) }];
  },
};
