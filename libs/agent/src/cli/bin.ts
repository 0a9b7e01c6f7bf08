#!/usr/bin/env node
import { main } from './main';

void main(process.argv.slice(2)).then((code) => {
  // Resources that an application leaves open, such as a connection pool, must not block a build.
  process.stdout.write('', () => process.exit(code));
});
