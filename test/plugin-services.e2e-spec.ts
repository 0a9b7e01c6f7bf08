import type { Type } from '@nestjs/common';
import { Project } from './plugin/project';
import { ToolApplication } from './support/tool-application';

/**
 * Services as applications have them: a store in memory, a repository of entities, documents, DTOs
 * with validators, log-in. Nothing is added to them but `@Tool()`.
 */
const FILES = {
  'src/store.d.ts': `declare module 'store' {
  interface Filter<Row> { where: Partial<Row> }
  export class Repository<Row> {
    private rows;
    constructor(driver: string);
    save(row: Row): Promise<Row>;
    find(): Promise<Row[]>;
    findOne(filter: Filter<Row>): Promise<Row | null>;
    delete(filter: Filter<Row>): Promise<void>;
  }
  /** Members that a store adds to a row, mostly methods. */
  export interface Stored { save(): Promise<this>; readonly collection: { close(): void }; _id: string }
  export type Document<Row> = Row & Stored;
}`,
  'src/birds/bird.interface.ts': `export interface Bird { name: string; wingspan: number; species: string }`,
  'src/birds/birds.service.ts': `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { Bird } from './bird.interface';
@Injectable()
export class BirdsService {
  private readonly birds: Bird[] = [];
  @Tool() create(bird: Bird) { this.birds.push(bird); }
  @Tool() findAll(): Bird[] { return this.birds; }
}`,
  'src/members/member.entity.ts': `import { Column } from './column';
export class Member {
  @Column() id: number;
  @Column() firstName: string;
  @Column({ default: true }) isActive: boolean;
}`,
  'src/members/column.ts': `export const Column = (options?: object): PropertyDecorator => () => { void options; };`,
  'src/members/dto/create-member.dto.ts': `export class CreateMemberDto { firstName: string }`,
  'src/members/dto/update-member.dto.ts': `export class UpdateMemberDto { readonly firstName?: string; readonly isActive?: boolean }`,
  'src/members/members.service.ts': `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import type { Document, Repository } from 'store';
import { CreateMemberDto } from './dto/create-member.dto';
import { UpdateMemberDto } from './dto/update-member.dto';
import { Member } from './member.entity';
@Injectable()
export class MembersService {
  private readonly repository: Repository<Member>;
  @Tool() create(createMemberDto: CreateMemberDto): Promise<Member> {
    return Promise.resolve({ id: 1, isActive: true, ...createMemberDto });
  }
  @Tool() async findAll(): Promise<Member[]> { return this.repository.find(); }
  @Tool() findOne(id: number): Promise<Member | null> { return this.repository.findOne({ where: { id } }); }
  @Tool() async stored(id: string): Promise<Document<Member> | null> { return null; }
  @Tool() async update(id: string, updateMemberDto: UpdateMemberDto): Promise<string> {
    return updateMemberDto.constructor.name + id;
  }
  @Tool() async remove(id: string): Promise<void> { await this.repository.delete({ where: { id: +id } }); }
}`,
  'src/recipes/recipes.args.ts': `import { IsOptional, IsString, MaxLength } from 'class-validator';
export class RecipesArgs {
  @IsString() @MaxLength(30) @IsOptional() title?: string;
  skip = 0;
  take = 25;
}`,
  'src/recipes/recipes.service.ts': `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
import { RecipesArgs } from './recipes.args';
@Injectable()
export class RecipesService {
  @Tool() async findAll(recipesArgs: RecipesArgs): Promise<{ title: string; at: Date }[]> {
    return [{ title: recipesArgs.take + '', at: new Date(0) }];
  }
}`,
  'src/auth/auth.service.ts': `import { Injectable } from '@nestjs/common';
import { Tool } from 'nestjs-agent';
export type User = any;
@Injectable()
export class AuthService {
  @Tool() async findUser(name: string): Promise<User | undefined> { return { name }; }
  @Tool() async signIn(name: string, pass: string) {
    const user = await this.findUser(name);
    return { accessToken: user.name + pass };
  }
}`,
};

const SERVICES = ['birds', 'members', 'recipes', 'auth'] as const;

const object = (properties: object, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});
const string = { type: 'string' };
const number = { type: 'number' };
const boolean = { type: 'boolean' };
const MEMBER = {
  properties: { id: number, firstName: string, isActive: boolean },
  required: ['id', 'firstName', 'isActive'],
};

describe.each(['tsc', 'swc'])('services of an application, by %s', (compiler) => {
  let project: Project;
  let services: Record<(typeof SERVICES)[number], ToolApplication>;
  const definitionOf = (service: keyof typeof services, tool: string) =>
    services[service].tool(tool).definition;

  beforeAll(async () => {
    // As a new application is set up: without "strict".
    project = new Project(FILES, { strict: false, strictNullChecks: true });
    expect(project.withTsc()).toEqual([]);
    if (compiler === 'swc') project.withSwc();
    const options = compiler === 'swc' ? { metadata: project.metadata() } : {};
    const boot = async (name: (typeof SERVICES)[number]) => {
      const path = `${compiler}/${name}/${name}.service.js`;
      const [service] = Object.values(project.load<Record<string, Type<object>>>(path));
      return [name, await ToolApplication.boot({ providers: [service as Type] }, options)] as const;
    };
    services = Object.fromEntries(await Promise.all(SERVICES.map(boot))) as typeof services;
  });
  afterAll(async () => {
    await Promise.all(Object.values(services).map((one) => one.close()));
    project.remove();
  });

  it('are tools with all their methods, named by themselves', () => {
    expect(SERVICES.map((name) => services[name].names.length)).toEqual([2, 6, 1, 2]);
    expect(definitionOf('members', 'stored').description).toBe('Stored (members)');
    expect(definitionOf('auth', 'signIn').description).toBe('Sign in (auth)');
  });

  it('take what their parameters are typed as', () => {
    expect(definitionOf('auth', 'signIn').input_schema).toEqual(
      object({ name: string, pass: string }),
    );
    expect(definitionOf('members', 'update').input_schema).toMatchObject(
      object({
        id: string,
        updateMemberDto: {
          title: 'UpdateMemberDto',
          ...object({ firstName: string, isActive: boolean }, []),
        },
      }),
    );
    expect(definitionOf('members', 'findOne').input_schema).toEqual(object({ id: number }));
  });

  it('describe their rows, and of documents what JSON can carry', () => {
    expect(definitionOf('members', 'findOne').output_schema).toMatchObject({
      anyOf: [MEMBER, { type: 'null' }],
    });
    expect(definitionOf('members', 'stored').output_schema).toMatchObject({
      properties: { ...MEMBER.properties, _id: string },
    });
    expect(JSON.stringify(definitionOf('members', 'stored').output_schema)).not.toContain('save');
    expect(definitionOf('auth', 'findUser').output_schema).toBeUndefined();
    expect(definitionOf('auth', 'signIn').output_schema).toMatchObject({
      properties: { accessToken: string },
    });
  });

  it('work', async () => {
    const changed = { id: '7', updateMemberDto: { firstName: 'Ada' } };
    expect(await services.members.call('update', changed)).toBe('UpdateMemberDto7');
    await expect(services.members.call('update', { ...changed, extra: 1 })).rejects.toThrow(
      'extra',
    );
    expect(await services.auth.call('signIn', { name: 'a', pass: 'b' })).toEqual({
      accessToken: 'ab',
    });
    expect(await services.recipes.call('findAll', { recipesArgs: {} })).toEqual([
      { title: '25', at: new Date(0) },
    ]);
    const bird = { name: 'Kea', wingspan: 1, species: 'Nestor notabilis' };
    await services.birds.call('create', { bird });
    expect(await services.birds.call('findAll', {})).toEqual([bird]);
  });
});
