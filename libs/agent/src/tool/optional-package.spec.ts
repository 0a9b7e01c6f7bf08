import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { peerDependencies, peerDependenciesMeta } from '../../package.json';
import {
  loadOptional,
  MissingPackageError,
  OLDEST_VERSIONS,
  requireVersion,
} from './optional-package';

describe('loadOptional()', () => {
  afterEach(() => {
    jest.resetModules();
    jest.restoreAllMocks();
  });

  it('loads what is installed', () => {
    expect(loadOptional('kysely', 'sqlStore()', ['kysely'])).toHaveProperty('Kysely');
  });

  it('names the command that installs what is missing', () => {
    jest.doMock('pg', () => {
      throw Object.assign(new Error("Cannot find module 'pg'"), { code: 'MODULE_NOT_FOUND' });
    });
    const load = () => loadOptional('pg', 'sqlStore({ connectionString })', ['kysely', 'pg']);
    expect(load).toThrow(MissingPackageError);
    expect(load).toThrow(
      'sqlStore({ connectionString }) needs kysely and pg. Install with: npm install kysely pg',
    );
  });

  it('does not hide what is broken inside a package', () => {
    jest.doMock('pg', () => {
      throw Object.assign(new Error("Cannot find module 'pg-protocol'"), {
        code: 'MODULE_NOT_FOUND',
      });
    });
    expect(() => loadOptional('pg', 'sqlStore()', ['pg'])).toThrow(/pg-protocol/);
  });

  it.each(['99.0.0', '6.99.0'])('refuses a version below %s', (oldest) => {
    jest.replaceProperty(OLDEST_VERSIONS, 'bullmq', oldest);
    const { version } = jest.requireActual<{ version: string }>('bullmq/package.json');
    const load = () => loadOptional('bullmq', 'bullmqRuns()', ['bullmq', 'ioredis']);
    expect(load).toThrow(MissingPackageError);
    expect(load).toThrow(
      `bullmqRuns() needs bullmq ${oldest} or newer, and ${version} is installed. Install with: npm install bullmq@latest`,
    );
  });

  it('reads the version of a package from each of its modules', () => {
    const name = '@modelcontextprotocol/client';
    jest.replaceProperty(OLDEST_VERSIONS, name, '99.0.0');
    expect(() => requireVersion(`${name}/stdio`, 'McpClientModule')).toThrow(/needs .* 99\.0\.0/);
  });
});

describe('the oldest versions', () => {
  it('are those of the guide', () => {
    const guide = readFileSync(join(__dirname, '../../../../docs/stability.md'), 'utf8');
    const rows = guide.matchAll(/^\| `([^`]+)` +\| (\d+\.\d+\.\d+) /gm);
    expect([...rows].map(([, name, version]) => [name, version])).toEqual(
      Object.entries(OLDEST_VERSIONS),
    );
  });
});

describe('the manifest', () => {
  it('lets npm install beside any version of an optional package', () => {
    const optional = Object.keys(peerDependenciesMeta).filter((name) => name in peerDependencies);
    expect(Object.keys(OLDEST_VERSIONS).filter((name) => !optional.includes(name))).toEqual([]);
    const ranges = Object.entries(peerDependencies).filter(([name]) => optional.includes(name));
    expect(ranges.filter(([, range]) => range !== '*')).toEqual([]);
  });
});
