import * as real from '@modelcontextprotocol/client';
import * as realStdio from '@modelcontextprotocol/client/stdio';
import { AgentError } from '../../../tool';
import { installed, type PeerModule, type PeerStdioModule } from '.';

describe('the optional client package', () => {
  it('has everything that is used of it', () => {
    // The compiler is the test: the package's own types fit ours.
    const peer: PeerModule = real;
    const stdio: PeerStdioModule = realStdio;
    expect([typeof peer.Client, typeof stdio.StdioClientTransport]).toEqual([
      'function',
      'function',
    ]);
  });

  it('is named with its command where it is missing', () => {
    const missing = Object.assign(new Error("Cannot find module '@modelcontextprotocol/client'"), {
      code: 'MODULE_NOT_FOUND',
    });
    const load = (error: Error) => () =>
      installed(() => {
        throw error;
      });
    expect(load(missing)).toThrow(AgentError);
    expect(load(missing)).toThrow(/npm install @modelcontextprotocol\/client$/);
    const broken = Object.assign(new Error("Cannot find module 'zod'"), {
      code: 'MODULE_NOT_FOUND',
    });
    expect(load(broken)).toThrow(broken);
  });
});
