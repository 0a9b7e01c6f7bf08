import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { installWith, ROOT } from './support/packed-package';
import { run } from './support/program';

const PACKAGES = [
  ...['@nestjs/common@11', '@nestjs/core@11', '@nestjs/platform-express@11'],
  ...['@nestjs/graphql@13', '@nestjs/apollo@13'],
  ...['@apollo/server@5', '@as-integrations/express5', 'graphql@16'],
];

const APPLICATION = `import 'reflect-metadata';
import {
  type CanActivate, type ExecutionContext, Injectable, Module, UseGuards,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { ApolloDriver } from '@nestjs/apollo';
import {
  Args, Field, type GqlContextType, GqlExecutionContext, GraphQLModule, InputType, Int, Mutation,
  ObjectType, Query, ResolveField, Resolver,
} from '@nestjs/graphql';
import { Max } from 'class-validator';
import { AgentModule, AgentService, Tool, ToolContext, ToolParam } from 'nestjs-agent';
import { ScriptedModel } from 'nestjs-agent/testing';

@Injectable()
class UserGuard implements CanActivate {
  canActivate(context: ExecutionContext): boolean {
    const request =
      context.getType<GqlContextType>() === 'graphql'
        ? GqlExecutionContext.create(context).getContext().req
        : context.switchToHttp().getRequest();
    return request.headers.authorization === 'alice';
  }
}

@ObjectType()
class Order {
  @Field(() => Int) id!: number;
  @Field() owner!: string;
}

@InputType()
class NewOrder {
  @Field(() => Int) @Max(9) count!: number;
}

@Resolver(() => Order)
@UseGuards(UserGuard)
class OrdersResolver {
  @Tool({ description: 'Finds an order' })
  @Query(() => Order)
  order(@ToolParam() @Args('id', { type: () => Int }) id: number, context: ToolContext): Order {
    return { id, owner: context?.principal ?? 'nobody' };
  }

  @Tool({ description: 'Adds an order' })
  @Mutation(() => Order)
  add(@ToolParam() @Args('input') input: NewOrder): Order {
    return { id: input.count, owner: 'new' };
  }

  @ResolveField(() => String)
  label(): string {
    return 'of a field';
  }
}

const model = new ScriptedModel([]);

@Module({
  imports: [
    GraphQLModule.forRoot({ driver: ApolloDriver, autoSchemaFile: true }),
    AgentModule.forRoot({ model, principal: (request: any) => request.headers.authorization }),
  ],
  providers: [OrdersResolver],
})
class AppModule {}

async function main(): Promise<void> {
  const app = await NestFactory.create(AppModule, { logger: false });
  await app.listen(0, '127.0.0.1');
  const url = await app.getUrl();
  const post = async (path: string, user: string, body: object): Promise<any> => {
    const headers = { 'content-type': 'application/json', authorization: user };
    const response = await fetch(url + path, { method: 'POST', headers, body: JSON.stringify(body) });
    return response.json();
  };
  const call = async (user: string, name: string, input: any): Promise<string> => {
    model.push({ toolCalls: [{ name, input }] }, 'Done.');
    const { toolCalls } = await post('/agent/chat', user, { message: 'Go' });
    return toolCalls[0].output;
  };
  const query = '{ order(id: 7) { id owner label } }';
  const told = {
    query: await post('/graphql', 'alice', { query }),
    refusedQuery: (await post('/graphql', 'bob', { query })).errors[0].message,
    found: await call('alice', 'order', { id: 7 }),
    added: await call('alice', 'add', { input: { count: 3 } }),
    invalid: await call('alice', 'add', { input: { count: 10 } }),
    refused: await call('bob', 'order', { id: 7 }),
  };
  await app.close();
  console.log(JSON.stringify(told));
}
void main();
`;

const COMPILER_OPTIONS = {
  module: 'nodenext',
  target: 'ES2023',
  types: [],
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  skipLibCheck: true,
};

describe('an application with resolvers of GraphQL, as the guide to tools on providers has it', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await installWith(...PACKAGES);
    await mkdir(join(folder, 'src'));
    await writeFile(join(folder, 'src/main.ts'), APPLICATION);
    const config = { compilerOptions: COMPILER_OPTIONS, files: ['src/main.ts'] };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config));
    const compiler = join(ROOT, 'node_modules/typescript/bin/tsc');
    await run(process.execPath, [compiler, '-p', folder], folder);
  });

  it('calls them as tools behind their guards, and answers queries as before', async () => {
    const output = await run(process.execPath, ['src/main.js'], folder);

    expect(JSON.parse(output)).toEqual({
      query: { data: { order: { id: 7, owner: 'nobody', label: 'of a field' } } },
      refusedQuery: 'Forbidden resource',
      found: '{"id":7,"owner":"alice"}',
      added: '{"id":3,"owner":"new"}',
      invalid: expect.stringContaining('must be <= 9') as string,
      refused: expect.stringContaining('Permission denied') as string,
    });
  });
});
