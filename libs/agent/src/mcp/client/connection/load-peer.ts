import { installed } from '../../../tool';

const PACKAGE = '@modelcontextprotocol/client';
const WANTED = 'McpClientModule';

/** @throws MissingPackageError if the package is not installed */
export function loadPeer() {
  return installed(
    () => require('@modelcontextprotocol/client') as typeof import('@modelcontextprotocol/client'),
    PACKAGE,
    WANTED,
  );
}

/** As `loadPeer`, its part for child processes. */
export function loadStdioPeer() {
  return installed(
    () =>
      require('@modelcontextprotocol/client/stdio') as typeof import('@modelcontextprotocol/client/stdio'),
    `${PACKAGE}/stdio`,
    WANTED,
    [PACKAGE],
  );
}
