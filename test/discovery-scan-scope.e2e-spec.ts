import { Controller, Get, Injectable, Module, Param } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { ToolApplication } from './support/tool-application';

@Injectable()
class FirstTools {
  @Tool({ description: 'First' })
  first(): number {
    return 1;
  }
}

@Injectable()
class SecondTools {
  @Tool({ description: 'Second' })
  second(): number {
    return 2;
  }
}

@Controller('things')
class ThingsController {
  @Tool({ description: 'List things' })
  @Get()
  findAll(): string[] {
    return [];
  }

  @Get(':id')
  find(@Param('id') id: string): string {
    return id;
  }
}

@Module({ providers: [FirstTools] })
class InnerModule {}
@Module({ imports: [InnerModule], providers: [SecondTools, FirstTools] })
class OuterModule {}
@Module({ controllers: [ThingsController] })
class ThingsModule {}

const imports = [InnerModule, OuterModule, ThingsModule];

describe('the scan option', () => {
  let tools: ToolApplication | undefined;
  afterEach(() => tools?.close());

  const namesWith = async (scan: Parameters<typeof ToolApplication.boot>[1]) => {
    tools = await ToolApplication.boot({ imports }, scan);
    return [...tools.names].sort();
  };

  it('looks everywhere by default', async () => {
    expect(await namesWith({})).toEqual(['first', 'second', 'things_find_all']);
  });

  it('looks at the own providers of the modules named, also where another has the class too', async () => {
    expect(await namesWith({ scan: { modules: [OuterModule] } })).toEqual(['first', 'second']);
  });

  it('does not look at what a module imports', async () => {
    expect(await namesWith({ scan: { modules: [ThingsModule] } })).toEqual(['things_find_all']);
  });

  it('looks at the classes named', async () => {
    expect(await namesWith({ scan: { classes: [SecondTools] } })).toEqual(['second']);
  });

  it('looks at modules and classes together', async () => {
    expect(await namesWith({ scan: { modules: [InnerModule], classes: [SecondTools] } })).toEqual([
      'first',
      'second',
    ]);
  });

  it('leaves classes and modules out, whatever else names them', async () => {
    expect(
      await namesWith({
        scan: { modules: [OuterModule], exclude: [FirstTools] },
      }),
    ).toEqual(['second']);
    await tools?.close();
    expect(await namesWith({ scan: { exclude: [ThingsModule] } })).toEqual(['first', 'second']);
  });

  it('finds nothing in an empty list', async () => {
    expect(await namesWith({ scan: { modules: [] } })).toEqual([]);
  });
});

describe('the exposeControllers option', () => {
  let tools: ToolApplication | undefined;
  afterEach(() => tools?.close());

  it('makes tools of routes without touching their controller', async () => {
    tools = await ToolApplication.boot(
      { imports: [ThingsModule] },
      {
        exposed: [
          { controller: ThingsController, tools: { find: { description: 'Look a thing up' } } },
        ],
      },
    );
    expect(tools.names).toEqual(['things_find_all', 'things_find']);
    expect(tools.tool('things_find')).toMatchObject({
      kind: 'route',
      definition: { description: 'Look a thing up' },
    });
  });

  it('wins over the decorator option by option', async () => {
    tools = await ToolApplication.boot(
      { imports: [ThingsModule] },
      { exposed: [{ controller: ThingsController, tools: { findAll: { name: 'things' } } }] },
    );
    expect(tools.names).toEqual(['things']);
    expect(tools.tool('things').definition.description).toBe('List things');
  });

  it('does not depend on the scan', async () => {
    tools = await ToolApplication.boot(
      { imports: [ThingsModule] },
      {
        scan: { classes: [] },
        exposed: [{ controller: ThingsController, tools: { find: { description: 'One' } } }],
      },
    );
    expect(tools.names).toEqual(['things_find']);
  });

  it('stops the boot for a class that is no controller and for a method that is none', async () => {
    const boot = ToolApplication.boot(
      { imports: [ThingsModule] },
      {
        exposed: [
          { controller: FirstTools, tools: { first: {} } },
          {
            controller: ThingsController,
            tools: { remove: { description: 'x' }, constructor: { description: 'x' } },
          },
        ],
      },
    );
    await expect(boot).rejects.toThrow(
      /FirstTools is no controller[\s\S]*ThingsController has no method "remove"[\s\S]*no method "constructor"/,
    );
  });
});
