// A server over stdio that misbehaves as the words of BEHAVIOUR say. It writes its calls to CALLS.
const { appendFileSync } = require('node:fs');
const process = require('node:process');
const { createInterface } = require('node:readline');
const { setInterval } = require('node:timers');

const { BEHAVIOUR = '', CALLS, PIDS, SECRET } = process.env;
const does = (word) => BEHAVIOUR.split(' ').includes(word);
if (PIDS) appendFileSync(PIDS, `${process.pid}\n`);
if (does('stays')) process.on('SIGTERM', () => undefined);
if (does('silent')) process.stdin.resume();
if (SECRET) process.stderr.write(`My secret is ${SECRET}.\n`);
// Stays alive without its stdin, too.
if (does('stays')) setInterval(() => undefined, 1_000);

const send = (message) =>
  process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`);

/** Writes a line that does not end. */
const writeOn = () => process.stdout.write('x'.repeat(1_048_576), writeOn);

/** Asks the client thousands of things, and reads no answer meanwhile. */
const askOn = (done, asked = 1) => {
  lines.pause();
  if (asked > 5_000) return (void lines.resume(), done());
  const message = { jsonrpc: '2.0', id: `our ${asked}`, method: 'roots/list' };
  process.stdout.write(`${JSON.stringify(message)}\n`, () => askOn(done, asked + 1));
};

const lines = createInterface({ input: process.stdin }).on('line', (line) => {
  const { id, method, params } = JSON.parse(line);
  if (id === undefined || method === undefined || does('silent')) return;
  const serverInfo = { name: 'child', version: '1' };
  // A megabyte of members that no client accepts.
  if (does(method)) serverInfo.icons = Array.from({ length: 500_000 }, () => 1);
  if (method === 'initialize') {
    send({
      id,
      result: { protocolVersion: '2025-06-18', capabilities: { tools: {} }, serverInfo },
    });
  } else if (method === 'server/discover' && does(method)) {
    const _meta = { 'io.modelcontextprotocol/serverInfo': serverInfo };
    const supportedVersions = ['2026-07-28'];
    send({
      id,
      result: { resultType: 'complete', supportedVersions, capabilities: {}, _meta },
    });
  } else if (method === 'tools/list') {
    const pid = { name: 'pid', inputSchema: { type: 'object' } };
    const hints = { readOnlyHint: true, idempotentHint: true };
    const crash = { name: 'crash', inputSchema: { type: 'object' }, annotations: hints };
    send({ id, result: { tools: [pid, crash] } });
  } else if (method === 'tools/call') {
    if (CALLS) appendFileSync(CALLS, `${params.name}\n`);
    if (params.name === 'crash' && !does('endless')) process.exit(1);
    if (does('endless') && params.name === 'crash') return writeOn();
    const answer = () =>
      send({ id, result: { content: [{ type: 'text', text: String(process.pid) }] } });
    if (does('asks')) askOn(answer);
    // More data than the client checks.
    else if (does('refuses'))
      send({ id, error: { code: -32602, message: 'No.', data: 'x'.repeat(300_000) } });
    else answer();
  } else {
    send({ id, error: { code: -32601, message: 'Method not found' } });
  }
});
