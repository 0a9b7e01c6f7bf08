import { MissingPackageError } from '../../../tool';
import { loadPeer, loadStdioPeer } from './load-peer';

function missing(name: string): () => never {
  return () => {
    throw Object.assign(new Error(`Cannot find module '${name}'`), { code: 'MODULE_NOT_FOUND' });
  };
}

describe('the optional client package', () => {
  afterEach(() => jest.resetModules());

  it('is named with its command where it is missing', () => {
    jest.doMock('@modelcontextprotocol/client', missing('@modelcontextprotocol/client'));
    jest.doMock(
      '@modelcontextprotocol/client/stdio',
      missing('@modelcontextprotocol/client/stdio'),
    );
    for (const load of [loadPeer, loadStdioPeer]) {
      expect(load).toThrow(MissingPackageError);
      expect(load).toThrow(/npm install @modelcontextprotocol\/client$/);
    }
  });

  it('does not hide what is broken inside it', () => {
    jest.doMock('@modelcontextprotocol/client', missing('zod'));
    expect(loadPeer).toThrow(/'zod'/);
  });
});
