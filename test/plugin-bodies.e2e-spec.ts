import type { Type } from '@nestjs/common';
import { ValidationPipe } from '@nestjs/common';
import { Project } from './plugin/project';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

const FILES = {
  'src/bodies.controller.ts': `import { Body, Controller, Post } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Tool } from 'nestjs-agent';
interface Reason { text: string; code?: number }
export class ReasonDto { @IsString() text!: string }
@Controller('bodies')
export class BodiesController {
  @Tool() @Post('plain') plain(@Body() reason?: Reason): unknown { return { reason: reason ?? 'none' }; }
  @Tool() @Post('checked') checked(@Body() reason?: ReasonDto): unknown { return { reason: reason ?? 'none' }; }
}`,
};

describe.each<AdapterName>(['express', 'fastify'])('an optional body, on %s', (adapter) => {
  const project = new Project(FILES);
  let tools: RouteToolApplication;
  let address: string;
  beforeAll(async () => {
    expect(project.withTsc()).toEqual([]);
    const { BodiesController } = project.load<{ BodiesController: Type<object> }>(
      'tsc/bodies.controller.js',
    );
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [BodiesController],
      configure: (app) => app.useGlobalPipes(new ValidationPipe({ transform: true })),
    });
    await tools.app.listen(0, '127.0.0.1');
    address = await tools.app.getUrl();
  });
  afterAll(async () => {
    await tools.close();
    project.remove();
  });

  const statusOf = async (path: string): Promise<number> =>
    (await fetch(`${address}/bodies/${path}`, { method: 'POST' })).status;

  it('of an interface is left out as a whole or sent as a whole', async () => {
    expect(await statusOf('plain')).toBe(201);
    const { properties, required } = tools.definition('bodies_plain').input_schema;
    expect(properties?.body).toMatchObject({ type: 'object', required: ['text'] });
    expect(required).toBeUndefined();
    expect(await tools.result('bodies_plain')).toEqual({ reason: 'none' });
    const body = { text: 'late' };
    expect(await tools.result('bodies_plain', { body })).toEqual({ reason: body });
    const { error } = await tools.call('bodies_plain', { body: { code: 7 } });
    expect(error?.message).toBe('Invalid arguments: /body/text: is required');
  });

  it('of a class keeps its required fields, which the application demands', async () => {
    expect(await statusOf('checked')).toBe(400);
    expect(tools.definition('bodies_checked').input_schema.required).toEqual(['text']);
    expect(await tools.result('bodies_checked', { text: 'late' })).toEqual({
      reason: { text: 'late' },
    });
  });
});
