import { type CanActivate, Injectable, Logger, UseGuards } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { AgentModule } from '../agent.module';
import { offline } from '../model';
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

  it('warns if there is no guard', async () => {
    expect(await warningsOf({})).toEqual([expect.stringContaining('No guard stands')]);
  });

  it('does not warn where nothing is served', async () => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const application = AgentModule.forRoot({ model: offline() });
    await (await NestFactory.createApplicationContext(application, { logger: ['warn'] })).close();
    expect(warn).not.toHaveBeenCalled();
  });

  it('warns if only public routes have a guard', async () => {
    const controllers = { publicDecorators: [UseGuards(OpenGuard)] };
    expect(await warningsOf({ controllers })).toHaveLength(1);
  });

  it('does not warn if the decorators add one', async () => {
    expect(await warningsOf({ controllers: { decorators: [UseGuards(OpenGuard)] } })).toEqual([]);
  });

  it('does not warn if a guard is global', async () => {
    expect(await warningsOf({ prepare: (app) => app.useGlobalGuards(new OpenGuard()) })).toEqual(
      [],
    );
  });
});
