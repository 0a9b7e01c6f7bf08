import type { Type } from '@nestjs/common';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

const FILES = {
  'src/prices.ts': `import { Body, Controller, Injectable, ParseIntPipe, Post } from '@nestjs/common';
import { Tool, ToolParam } from 'nestjs-agent';
@Injectable()
export class PricesTools {
  @Tool() rounded(@ToolParam('factor', ParseIntPipe) factor = 1.5): unknown { return { factor }; }
}
@Controller('prices')
export class PricesController {
  @Tool({ permission: 'allow' }) @Post()
  set(@Body('factor', new ParseIntPipe({ optional: true })) factor = 1.5): unknown { return { factor }; }
}`,
};

describe('a default of the method that its pipe would refuse', () => {
  const project = new Project(FILES);
  let application: ToolApplication;
  beforeAll(async () => {
    expect(project.withTsc()).toEqual([]);
    const { PricesController, PricesTools } =
      project.load<Record<string, Type<object>>>('tsc/prices.js');
    application = await ToolApplication.boot({
      controllers: [PricesController as Type<object>],
      providers: [PricesTools as Type<object>],
    });
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  it.each(['rounded', 'prices_set'])('stays with the method: %s', async (name) => {
    const { properties, required } = application.tool(name).definition.input_schema;
    expect(properties?.factor).not.toHaveProperty('default');
    expect(required).toBeUndefined();
    expect(await application.call(name)).toEqual({ factor: 1.5 });
    expect(await application.call(name, { factor: 2 })).toEqual({ factor: 2 });
  });
});
