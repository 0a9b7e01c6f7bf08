import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { nodePrograms } from '../matrix/nodes.mjs';
import { run } from '../package/run.mjs';

// Both need a newer Node than the library does.
const NODE = 24;
const PACKAGES = {
  conformance: '@modelcontextprotocol/conformance@0.2.0-alpha.12',
  inspector: '@modelcontextprotocol/inspector@2.12.0',
};

/** Installs the conformance suite and the Inspector into a folder, with the Node that runs them. */
export async function installClients(folder) {
  const nodes = await nodePrograms([NODE], join(folder, 'nodes'));
  const packages = join(folder, 'clients');
  mkdirSync(packages, { recursive: true });
  await run('npm', [
    'install',
    '--prefix',
    packages,
    '--no-save',
    '--no-audit',
    '--no-fund',
    '--ignore-scripts',
    ...Object.values(PACKAGES),
  ]);
  const commands = join(packages, 'node_modules/.bin');
  return {
    node: nodes.get(NODE),
    conformance: join(commands, 'conformance'),
    inspector: join(commands, 'mcp-inspector'),
  };
}
