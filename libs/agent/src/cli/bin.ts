#!/usr/bin/env node
import { main } from './main';

void main(process.argv.slice(2)).then((code) => {
  // What an application leaves open, such as a pool of connections, must not keep a build waiting.
  process.stdout.write('', () => process.exit(code));
});
