import {
  All,
  Controller,
  Get,
  Module,
  RequestMethod,
  VersioningType,
  type DynamicModule,
  type VersioningOptions,
} from '@nestjs/common';
import { Test } from '@nestjs/testing';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { AgentModule } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';
import request from 'supertest';
import { ADAPTERS } from './http/agent-app';

@Controller('agent')
class NeighbourController {
  @Get('sessions/:id/messages')
  messages(): string {
    return 'mine';
  }

  @Get('reports/:id')
  report(): string {
    return 'mine, too';
  }
}

@Module({ controllers: [NeighbourController] })
class NeighbourModule {}

describe.each(ADAPTERS)("a route before the agent's endpoints on %s", (adapter) => {
  @Controller()
  class CatchAllController {
    @All(adapter === 'fastify' ? '*' : '*path')
    any(): string {
      return 'caught';
    }
  }

  @Module({ controllers: [CatchAllController] })
  class CatchAllModule {}

  /** What is warned of at boot, and what answers `/agent/health`. */
  const bootWith = async (
    imports: (agent: DynamicModule) => readonly (DynamicModule | (new () => object))[],
    controllers: (new () => object)[] = [],
    versioning?: VersioningOptions,
  ) => {
    const warn = jest.fn<void, [string]>();
    const agent = AgentModule.forRoot({ model: new ScriptedModel([]) });

    @Module({ imports: [...imports(agent)], controllers })
    class AppModule {
      configure(consumer: { apply(use: object): { forRoutes(route: object): void } }): void {
        consumer
          .apply((_request: unknown, _response: unknown, next: () => void) => next())
          .forRoutes({ path: '*path', method: RequestMethod.ALL });
      }
    }

    const module = await Test.createTestingModule({ imports: [AppModule] }).compile();
    const options = { logger: { log: jest.fn(), error: jest.fn(), warn } };
    const app =
      adapter === 'fastify'
        ? module.createNestApplication(new FastifyAdapter(), options)
        : module.createNestApplication(options);
    if (versioning) app.enableVersioning(versioning);
    await app.listen(0, '127.0.0.1');
    const health = await request(await app.getUrl()).get('/agent/health');
    await app.close();
    const told = warn.mock.calls
      .map(([message]) => message)
      .filter((text) => /endpoints\n/.test(text));
    return { told: told.join('\n'), isHidden: health.text === 'caught' };
  };

  it('is named at boot where it hides them, and only there', async () => {
    const { told, isHidden } = await bootWith((agent) => [CatchAllModule, agent]);
    expect(isHidden).toBe(adapter === 'express');
    if (!isHidden) {
      expect(told).toBe('');
      return;
    }
    expect(told).toMatch(
      /The route ALL \/\{?\*path\}? comes first and matches POST \/agent\/chat and \d+ more/,
    );
    expect(told).toContain('Declare it in a module that is imported after AgentModule');
  });

  it('is not named where the agent comes first, nor is middleware for all routes', async () => {
    const { told, isHidden } = await bootWith((agent) => [agent, CatchAllModule]);
    expect({ told, isHidden }).toEqual({ told: '', isHidden: false });
  });

  if (adapter === 'express') {
    it("is named in the application's own module, which no order of imports can change", async () => {
      const { told, isHidden } = await bootWith((agent) => [agent], [CatchAllController]);
      expect(isHidden).toBe(true);
      expect(told).toContain("not in the application's own, whose routes always come first");
    });

    it.each([
      ['another version', { version: '1' }],
      ['another host', { host: 'admin.example.com' }],
    ])('is not named where it takes requests for %s alone', async (_, options) => {
      @Controller(options)
      class PartialController {
        @All('*path')
        any(): string {
          return 'caught';
        }
      }
      const header = { type: VersioningType.HEADER, header: 'x-version' } as const;
      const { told, isHidden } = await bootWith((agent) => [agent], [PartialController], header);
      expect({ told, isHidden }).toEqual({ told: '', isHidden: false });
    });

    it.each<VersioningOptions>([
      { type: VersioningType.URI },
      { type: VersioningType.HEADER, header: 'x-version' },
    ])('is named where other routes have versions, %j', async (versioning) => {
      const { told, isHidden } = await bootWith(
        (agent) => [agent],
        [CatchAllController],
        versioning,
      );
      expect(isHidden).toBe(true);
      expect(told).toContain('comes first and matches POST /agent/chat');
    });

    it('is named for the one endpoint that it hides', async () => {
      const { told } = await bootWith((agent) => [NeighbourModule, agent]);
      expect(told).toContain(
        'The route GET /agent/sessions/:id/messages comes first and matches GET /agent/sessions/:id/messages.',
      );
      expect(told).not.toContain('reports');
    });
  }
});
