import { AgentError } from '../../../tool';
import type { PeerModule, PeerStdioModule } from './peer.interface';

const PACKAGE = '@modelcontextprotocol/client';

/** @throws AgentError `missing_package` if the package is not installed */
export function loadPeer(): PeerModule {
  return installed(() => require('@modelcontextprotocol/client') as PeerModule);
}

/** @throws AgentError `missing_package` if the package is not installed */
export function loadStdioPeer(): PeerStdioModule {
  return installed(() => require('@modelcontextprotocol/client/stdio') as PeerStdioModule);
}

/** Reports a missing package with a clear error; other errors of the package pass unchanged. */
export function installed<Module>(load: () => Module): Module {
  try {
    return load();
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw new AgentError(
      'missing_package',
      `McpClientModule needs ${PACKAGE}. Install with: npm install ${PACKAGE}`,
      { cause: error },
    );
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${PACKAGE}`);
}
