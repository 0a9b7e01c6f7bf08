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

/** As of @nestjs/throttler, whose guards are often the only global ones. */
@Injectable()
class ThrottlerGuard extends OpenGuard {}

@Injectable()
class TenantThrottlerGuard extends ThrottlerGuard {}

describe("the warning that no guard checks the agent's callers", () => {
  afterEach(() => jest.restoreAllMocks());

  const warningsOf = async (options: Omit<HttpAppOptions, 'agent'>) => {
    const warn = jest.spyOn(Logger.prototype, 'warn').mockImplementation(() => undefined);
    const app = await httpApp({ agent: {}, ...options });
    await app.close();
    return warn.mock.calls.map(([message]) => String(message));
  };

  it('warns if there is no guard', async () => {
    expect(await warningsOf({})).toEqual([
      expect.stringContaining('No guard checks who calls the agent'),
    ]);
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

  it.each([
    ['a throttler of its own', new TenantThrottlerGuard()],
    ['an object for the sake of form, as nestjs-cls has it', { canActivate: () => true }],
  ])('warns if the only global guard is %s', async (_name, guard) => {
    const warnings = await warningsOf({ prepare: (app) => app.useGlobalGuards(guard) });
    expect(warnings).toEqual([expect.stringContaining('No guard checks')]);
  });

  it('warns if the decorators add only a throttler', async () => {
    const controllers = { decorators: [UseGuards(ThrottlerGuard)] };
    expect(await warningsOf({ controllers })).toHaveLength(1);
  });

  it('does not warn beside a throttler if a global object looks at the request', async () => {
    const guards: CanActivate[] = [
      new ThrottlerGuard(),
      { canActivate: (context) => context !== null },
    ];
    expect(await warningsOf({ prepare: (app) => app.useGlobalGuards(...guards) })).toEqual([]);
  });
});
