import { loadOptional, MissingPackageError } from './optional-package';

describe('loadOptional()', () => {
  afterEach(() => jest.resetModules());

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
});
