import { MissingPackageError } from '../../../tool';
import { installed } from './load-peer';

describe('the optional client package', () => {
  it('is named with its command where it is missing', () => {
    const missing = Object.assign(new Error("Cannot find module '@modelcontextprotocol/client'"), {
      code: 'MODULE_NOT_FOUND',
    });
    const load = (error: Error) => () =>
      installed(() => {
        throw error;
      });
    expect(load(missing)).toThrow(MissingPackageError);
    expect(load(missing)).toThrow(/npm install @modelcontextprotocol\/client$/);
    const broken = Object.assign(new Error("Cannot find module 'zod'"), {
      code: 'MODULE_NOT_FOUND',
    });
    expect(load(broken)).toThrow(broken);
  });
});
