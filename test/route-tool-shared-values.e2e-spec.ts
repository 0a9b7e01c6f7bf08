import {
  Body,
  Controller,
  Get,
  Param,
  ParseIntPipe,
  Post,
  Query,
  ValidationPipe,
} from '@nestjs/common';
import { Type } from 'class-transformer';
import { IsInt, IsOptional, IsString, IsUUID, Max, MaxLength, Min } from 'class-validator';
import { Tool } from 'nestjs-agent';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

class PageDto {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  @Max(100)
  limit?: number;

  @IsOptional()
  @IsString()
  query?: string;
}

class CommentsDto extends PageDto {
  @IsString()
  @MaxLength(36)
  pageId!: string;
}

class NamedPageDto {
  @IsOptional()
  @IsString()
  pageId?: string;

  @IsOptional()
  @IsString()
  note?: string;
}

class IdDto {
  @IsUUID()
  id!: string;
}

class VersionDto {
  @Type(() => Number)
  @IsInt()
  version!: number;
}

/** As in published applications: each parameter is checked and reads its own fields. */
@Controller('shared')
class SharedValuesController {
  @Tool({ description: 'Two DTOs of one query' })
  @Get('comments')
  comments(@Query() filter: CommentsDto, @Query() page: PageDto) {
    return { filter, page };
  }

  @Tool({ description: 'Two DTOs of one path' })
  @Get('versions/:id/:version')
  version(@Param() { id }: IdDto, @Param() { version }: VersionDto) {
    return { id, version };
  }

  @Tool({ description: 'A DTO and one of its values' })
  @Get('limited')
  limited(@Query() page: PageDto, @Query('limit', ParseIntPipe) limit: number) {
    return { page, limit };
  }

  @Tool({ description: 'Two DTOs of one body', permission: 'allow' })
  @Post('comments')
  list(@Body() comments: CommentsDto, @Body() page: NamedPageDto, @Body('note') note?: string) {
    return { comments, page, note };
  }

  @Tool({ description: 'A field of a body of any fields', permission: 'allow' })
  @Post('open')
  open(@Body('id') id: string, @Body() body: Record<string, unknown>) {
    return { id, body };
  }
}

describe.each<AdapterName>(['express', 'fastify'])(
  'a value that several parameters of a route read, on %s',
  (adapter) => {
    let tools: RouteToolApplication;
    beforeAll(async () => {
      tools = await RouteToolApplication.start({
        adapter,
        controllers: [SharedValuesController],
        configure: (app) =>
          app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true })),
      });
    });
    afterAll(() => tools.close());

    const schemaOf = (name: string) => tools.definition(name).input_schema;

    it('has its type of each DTO that reads the path', async () => {
      expect(schemaOf('shared_values_version').properties).toMatchObject({
        id: { type: 'string', format: 'uuid' },
        version: { type: expect.arrayContaining(['integer']) },
      });
      const input = { id: '6f9619ff-8b86-4d01-b42d-00cf4fc964ff', version: 3 };
      expect(await tools.result('shared_values_version', input)).toEqual(input);
    });

    it('is one argument of a query, and sent once', async () => {
      const { properties = {}, required } = schemaOf('shared_values_comments');
      expect(Object.keys(properties).sort()).toEqual(['limit', 'pageId', 'query']);
      expect(required).toEqual(['pageId']);
      const input = { limit: 5, query: 'a', pageId: 'p' };
      expect(await tools.result('shared_values_comments', input)).toEqual({
        filter: input,
        page: { limit: 5, query: 'a' },
      });
    });

    it('has to suit all of them', async () => {
      expect(schemaOf('shared_values_limited')).toMatchObject({
        properties: { limit: { minimum: 1, maximum: 100 } },
        required: ['limit'],
      });
      expect(await tools.result('shared_values_limited', { limit: 7 })).toEqual({
        page: { limit: 7 },
        limit: 7,
      });
    });

    it('is required of a body where one of them requires it', async () => {
      expect(schemaOf('shared_values_list')).toMatchObject({
        properties: { pageId: { type: 'string', maxLength: 36 } },
        required: ['pageId'],
      });
      expect(await tools.result('shared_values_list', { pageId: 'p', limit: 2 })).toEqual({
        comments: { pageId: 'p', limit: 2 },
        page: { pageId: 'p' },
      });
    });

    it('stays known beside a body of any fields', async () => {
      expect(schemaOf('shared_values_open').properties).toMatchObject({
        body: {
          type: 'object',
          properties: { id: { type: 'string' } },
          required: ['id'],
          additionalProperties: true,
        },
      });
      const body = { id: 'a', more: [1] };
      expect(await tools.result('shared_values_open', { body })).toEqual({ id: 'a', body });
    });
  },
);
