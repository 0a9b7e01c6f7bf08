import { Test } from '@nestjs/testing';
import { memoryStore, SESSION_STORE, ToolRegistry } from 'nestjs-agent';
import { ConsoleModule } from '../apps/console/src/console.module';
import { AppModule } from '../apps/demo/src/app.module';
import definitions from './support/demo/tool-definitions.json';

/** The tools of the applications have no decorator but `@Tool()`: the compiler plugin says the rest. */
describe.each([
  ['demo', AppModule, definitions.demo],
  ['console', ConsoleModule, definitions.console],
] as const)('the tools of the %s', (_, module, expected) => {
  it('are told to the model as they were with decorators', async () => {
    const testing = await Test.createTestingModule({ imports: [module] })
      .overrideProvider(SESSION_STORE)
      .useValue(memoryStore())
      .compile();
    const application = testing.createNestApplication();
    await application.init();
    const own = application
      .get(ToolRegistry)
      .tools()
      .filter(({ kind }) => kind !== 'mcp')
      .map(({ toolkit, definition: { name, description, input_schema } }) => {
        return { toolkit: toolkit?.description, name, description, input_schema };
      });
    expect(own).toEqual(expected);
    await application.close();
  });
});
