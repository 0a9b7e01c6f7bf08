// Runs MCP's conformance suite and the Inspector against the MCP server, on each HTTP adapter and
// in each revision of the protocol, and the MCP client against the suite's servers.
//   npm run test:conformance                        all cells
//   npm run test:conformance -- fastify inspector   the Inspector on Fastify
//   npm run test:conformance -- client              the client, which needs no adapter
// With --outputFile=<path> it writes its counts as Jest does, for continuous integration.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { run } from '../package/run.mjs';
import { startApplication } from './application.mjs';
import { chooseCells } from './cells.mjs';
import { installClients } from './clients.mjs';

const CELL_LIMIT_MS = 120_000;

const { positionals, values } = parseArgs({
  allowPositionals: true,
  // Continuous integration passes --json to each suite.
  options: { json: { type: 'boolean' }, outputFile: { type: 'string' } },
});
const cells = chooseCells(positionals);
const folder = mkdtempSync(join(tmpdir(), 'nestjs-agent-mcp-'));
process.on('exit', () => rmSync(folder, { recursive: true, force: true }));

const clients = await installClients(folder);
let failed = 0;
for (const adapter of new Set(cells.map((cell) => cell.adapter))) {
  const application = adapter && (await startApplication(adapter));
  for (const cell of cells.filter((each) => each.adapter === adapter)) {
    const start = Date.now();
    const { failure, summary } = await call(cell, application?.url);
    const seconds = ((Date.now() - start) / 1000).toFixed(1).padStart(6);
    console.log(`${failure ? 'FAIL' : 'ok  '} ${cell.name.padEnd(44)} ${seconds} s   ${summary}`);
    if (failure) {
      failed += 1;
      console.log(failure.message.replace(/^/gm, '     '));
    }
  }
  await application?.stop();
}
const passed = cells.length - failed;
console.log(`\n${passed} passed, ${failed} failed`);
if (values.outputFile !== undefined) {
  const counts = { numPassedTests: passed, numFailedTests: failed, numRuntimeErrorTestSuites: 0 };
  writeFileSync(values.outputFile, `${JSON.stringify(counts)}\n`);
}
process.exitCode = failed > 0 ? 1 : 0;

async function call({ program, args, summary }, url) {
  try {
    // The conformance suite writes its results beneath the working directory.
    const output = await run(clients.node, [clients[program], ...args(url)], {
      cwd: folder,
      timeoutMs: CELL_LIMIT_MS,
    });
    return { summary: summary(output) };
  } catch (error) {
    return { failure: error, summary: '' };
  }
}
