import * as ts from 'typescript';

// TypeScript 7 exports nothing but its version. Imported first, so that no other file fails with less.
if (typeof (ts as Partial<typeof ts>).createProgram !== 'function') {
  throw new Error(
    `nestjs-agent/plugin runs in TypeScript 5 and 6, and the installed one is ${ts.version}, ` +
      'which takes no plugins. Install with: npm install --save-dev typescript@6',
  );
}
