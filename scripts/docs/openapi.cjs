// Writes dist/docs/openapi.json: the OpenAPI description of the demo, without starting it. npm runs it
// in the repository's folder:
//   node --require ./test/support/typescript-hook.cjs scripts/docs/openapi.cjs
require('reflect-metadata');
const { mkdirSync, writeFileSync } = require('node:fs');
const { resolve } = require('node:path');
const { NestFactory } = require('@nestjs/core');
const { AppModule } = require('../../apps/demo/src/app.module.ts');
const { apiDocument } = require('../../apps/demo/src/pages/api-docs.ts');

async function main() {
  // A preview reads the modules and their routes without creating instances: no database, no model.
  const app = await NestFactory.create(AppModule, { preview: true, logger: ['error', 'warn'] });
  const folder = resolve('dist/docs');
  mkdirSync(folder, { recursive: true });
  writeFileSync(resolve(folder, 'openapi.json'), `${JSON.stringify(apiDocument(app), null, 2)}\n`);
}
void main();
