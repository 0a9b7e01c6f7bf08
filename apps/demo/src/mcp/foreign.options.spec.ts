import { foreignOptions } from './foreign.options';

describe('foreignOptions', () => {
  it('start a server that is installed, with this Node.js', () => {
    expect(foreignOptions((path) => `/modules/${path}`)).toMatchObject({
      servers: {
        samples: { command: process.execPath, args: [expect.stringMatching('^/modules/')] },
      },
    });
  });

  it.each(['server-everything', 'client'])(
    'name no server without the package of the %s',
    (missing) => {
      const resolve = (path: string): string => {
        if (path.includes(missing)) throw new Error(`Cannot find module '${path}'`);
        return path;
      };
      expect(foreignOptions(resolve)).toEqual({ servers: {} });
    },
  );
});
