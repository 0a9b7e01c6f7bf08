import { type CanActivate, Injectable, Logger, UseGuards } from '@nestjs/common';
import { httpApp, type HttpAppOptions } from './fixtures/http-app';

@Injectable()
class OpenGuard implements CanActivate {
  canActivate(): boolean {
    return true;
  }
}

describe('the warning that no guard stands before the agent', () => {
  afterEach(() => jest.restoreAllMocks());

  const warningsOf = async (options: Omit<HttpAppOptions, 'agent'>) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const app = await httpApp({ agent: {}, ...options });
    await app.close();
    return warn.mock.calls.map(([message]) => String(message));
  };

  it('comes where there is none', async () => {
    expect(await warningsOf({})).toEqual([expect.stringContaining('No guard stands')]);
  });

  it('comes where only what is public has one', async () => {
    const controllers = { publicDecorators: [UseGuards(OpenGuard)] };
    expect(await warningsOf({ controllers })).toHaveLength(1);
  });

  it('does not come where the decorators bring one', async () => {
    expect(await warningsOf({ controllers: { decorators: [UseGuards(OpenGuard)] } })).toEqual([]);
  });

  it('does not come where a guard is global', async () => {
    expect(await warningsOf({ prepare: (app) => app.useGlobalGuards(new OpenGuard()) })).toEqual(
      [],
    );
  });
});
