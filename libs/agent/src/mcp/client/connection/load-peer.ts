import { MissingPackageError } from '../../../tool';

const PACKAGE = '@modelcontextprotocol/client';

/** @throws MissingPackageError if the package is not installed */
export function loadPeer() {
  return installed(
    () => require('@modelcontextprotocol/client') as typeof import('@modelcontextprotocol/client'),
  );
}

/** As `loadPeer`, its part for child processes. */
export function loadStdioPeer() {
  return installed(
    () =>
      require('@modelcontextprotocol/client/stdio') as typeof import('@modelcontextprotocol/client/stdio'),
  );
}

/** Reports a missing package with a clear error; other errors of the package pass unchanged. */
export function installed<Module>(load: () => Module): Module {
  try {
    return load();
  } catch (error) {
    if (isMissing(error)) throw new MissingPackageError([PACKAGE], 'McpClientModule');
    throw error;
  }
}

function isMissing(error: unknown): boolean {
  if (!(error instanceof Error) || !('code' in error)) return false;
  return error.code === 'MODULE_NOT_FOUND' && error.message.includes(`'${PACKAGE}`);
}
