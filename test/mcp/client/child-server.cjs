// A server over stdio that misbehaves as its environment says. It writes its calls to CALLS.
const { appendFileSync } = require('node:fs');
const process = require('node:process');
const { createInterface } = require('node:readline');
const { setInterval } = require('node:timers');

const { BEHAVIOUR, CALLS, PIDS, SECRET } = process.env;
if (PIDS) appendFileSync(PIDS, `${process.pid}\n`);
if (BEHAVIOUR === 'stays') process.on('SIGTERM', () => undefined);
if (BEHAVIOUR === 'silent') process.stdin.resume();
if (SECRET) process.stderr.write(`My secret is ${SECRET}.\n`);
// Stays alive without its stdin, too.
if (BEHAVIOUR === 'stays') setInterval(() => undefined, 1_000);

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || BEHAVIOUR === 'silent') return;
  if (method === 'initialize') {
    const serverInfo = { name: 'child', version: '1' };
    send({
      id,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
    });
  } else if (method === 'tools/list') {
    const pid = { name: 'pid', inputSchema: { type: 'object' } };
    const hints = { readOnlyHint: true, idempotentHint: true };
    const crash = { name: 'crash', inputSchema: { type: 'object' }, annotations: hints };
    send({ id, result: { tools: [pid, crash] } });
  } else if (method === 'tools/call') {
    if (CALLS) appendFileSync(CALLS, `${params.name}\n`);
    if (params.name === 'crash') process.exit(1);
    send({ id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
  } else {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
