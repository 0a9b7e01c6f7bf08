import type { Type } from '@nestjs/common';
import type { JsonObject } from 'nestjs-agent/types';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

const FILES = {
  'src/crud.ts': `import { Body, Post } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
export class Entity { id?: string }
interface Dated { at: Date }
interface Stored { entity: unknown; isPlain: boolean }
export abstract class CrudService<T extends Entity> {
  @Tool() create(entity: T): Stored { return stored(entity); }
  @Tool() change(id: string, entity: Partial<T>): Stored { return stored(entity); }
  @Tool() plan(entity: T & Dated): boolean { return entity.at instanceof Date; }
  @Tool() createAll(entities: T[]): Stored { return stored(entities[0]); }
  @Tool() single<One extends Entity>(one: One): Stored { return stored(one); }
}
function stored(entity: unknown): Stored { return { entity, isPlain: !(entity instanceof Entity) }; }
export abstract class CrudController<T extends Entity> {
  @Tool() @Post() add(@Body() entity: T): T { return entity; }
  @Tool() @Post('rename') rename(@Body() { name, title }: { name: string; title?: string }): object {
    return { name, title };
  }
}`,
  'src/cats.ts': `import { Controller, Injectable } from '@nestjs/common';
import { CrudController, CrudService, Entity } from './crud';
export class Cat extends Entity { name!: string }
@Injectable() export class CatsService extends CrudService<Cat> {}
@Controller('cats') export class CatsController extends CrudController<Cat> {}`,
};

const ENTITY = { type: 'object', properties: { id: { type: 'string' } } };

describe.each(['tsc', 'swc'])('tools of generic classes, by %s', (compiler) => {
  let project: Project;
  let application: ToolApplication;
  beforeAll(async () => {
    project = new Project(FILES);
    if (compiler === 'swc') project.withSwc();
    else expect(project.withTsc()).toEqual([]);
    const { CatsService, CatsController } = project.load<
      Record<'CatsService' | 'CatsController', Type<object>>
    >(`${compiler}/cats.js`);
    application = await ToolApplication.boot(
      { providers: [CatsService], controllers: [CatsController] },
      compiler === 'swc' ? { metadata: project.metadata() } : {},
    );
  });
  afterAll(async () => {
    await application.close();
    project.remove();
  });

  const inputOf = (name: string): unknown =>
    application.tool(name).definition.input_schema.properties;

  it('take what a subclass adds to the constraint of a type parameter, as plain values', async () => {
    const entity: JsonObject = { id: '1', name: 'Tom' };
    const open = { ...ENTITY, additionalProperties: {} };
    expect(inputOf('create')).toEqual({ entity: open });
    expect(await application.call('create', { entity })).toEqual({ entity, isPlain: true });
    expect(inputOf('change')).toMatchObject({ entity: open });
    const changed = await application.call('change', { id: '1', entity: { name: 'Tom' } });
    expect(changed).toEqual({ entity: { name: 'Tom' }, isPlain: true });
    expect(inputOf('createAll')).toEqual({ entities: { type: 'array', items: open } });
    expect(await application.call('createAll', { entities: [entity] })).toMatchObject({ entity });
    expect(inputOf('cats_add')).toEqual({ body: open });
    expect(await application.call('cats_add', { body: entity })).toEqual(entity);
  });

  it('take the properties of both parts of an intersection with a type parameter', async () => {
    expect(inputOf('plan')).toMatchObject({ entity: { required: ['at'] } });
    expect(await application.call('plan', { entity: { at: '2026-05-01' } })).toBe(true);
  });

  it("have the constraint itself where the type parameter is the method's own", () => {
    expect(inputOf('single')).toMatchObject({ one: { ...ENTITY, additionalProperties: false } });
  });

  it('are described where the method of an abstract controller takes its body apart', async () => {
    expect(inputOf('cats_rename')).toEqual({ name: { type: 'string' }, title: { type: 'string' } });
    expect(await application.call('cats_rename', { name: 'Tim' })).toEqual({ name: 'Tim' });
  });
});
