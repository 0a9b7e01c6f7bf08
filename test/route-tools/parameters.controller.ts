import type { IncomingMessage } from 'node:http';
import {
  All,
  Body,
  Controller,
  createParamDecorator,
  DefaultValuePipe,
  Delete,
  type ExecutionContext,
  Get,
  Head,
  Headers,
  HostParam,
  Ip,
  Param,
  ParseArrayPipe,
  ParseBoolPipe,
  ParseEnumPipe,
  ParseIntPipe,
  ParseUUIDPipe,
  Patch,
  Post,
  PreconditionFailedException,
  Put,
  Query,
  Req,
  Session,
} from '@nestjs/common';
import { ApiBody, ApiHeader, ApiOperation, ApiParam, ApiQuery } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Min, ValidateNested } from 'class-validator';
import { Tool, ToolParam } from 'nestjs-agent';

const CurrentUser = createParamDecorator(
  (_: unknown, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ user?: unknown }>().user,
);

export enum Colour {
  Red = 'red',
  Blue = 'blue',
}

export class PageQuery {
  @IsOptional()
  @Type(() => Number)
  @IsInt()
  @Min(1)
  page: number = 1;

  @IsOptional()
  @IsString()
  search?: string;
}

class TagsQuery {
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsString({ each: true })
  tags?: string[];
}

class SomeDto {
  @IsOptional()
  @IsString()
  id?: string;

  @IsOptional()
  @IsString()
  title?: string;
}

class LineDto {
  @IsString()
  sku!: string;

  @IsInt()
  count!: number;
}

export class OrderDto {
  @IsString()
  customer!: string;

  @IsArray()
  @ValidateNested({ each: true })
  @Type(() => LineDto)
  lines!: LineDto[];
}

export class ClashDto {
  @IsString()
  id!: string;

  @IsString()
  title!: string;
}

/** Every route answers with what it was handed. */
@Controller('things')
export class ParametersController {
  @Tool({ description: 'Path, query and header' })
  @Get(':id/parts/:part')
  mixed(
    @Param('id', ParseIntPipe) id: number,
    @Param('part') part: string,
    @Query('limit', new DefaultValuePipe(10), ParseIntPipe) limit: number,
    @Query('active', new ParseBoolPipe({ optional: true })) active?: boolean,
    @Query('colour', new ParseEnumPipe(Colour, { optional: true })) colour?: Colour,
    @Query('tags') tags?: string[],
    @Headers('x-tenant') tenant?: string,
  ) {
    return { id, part, limit, active, colour, tags, tenant };
  }

  @Tool({ description: 'A query DTO with a list that is one text' })
  @ApiQuery({ name: 'tags', type: [String], explode: false, required: false })
  @Get('tagged')
  tagged(@Query() query: TagsQuery) {
    return query;
  }

  @Tool({ description: 'A query DTO' })
  @Get('page')
  page(@Query() query: PageQuery) {
    return query;
  }

  @Tool({ description: 'A list in the query' })
  @Get('list')
  list(@Query('ids', new ParseArrayPipe({ items: Number })) ids: number[]) {
    return { ids };
  }

  @Tool({ description: 'A list in the path, which swagger documents as text or number' })
  @ApiParam({ name: 'ids', schema: { oneOf: [{ type: 'string' }, { type: 'number' }] } })
  @Get('several/:ids/:tags')
  several(
    @Param('ids', new ParseArrayPipe({ items: Number })) ids: number[],
    @Param('tags', new ParseArrayPipe({ separator: ';' })) tags: string[],
  ) {
    return { ids, tags };
  }

  @Tool({ description: 'A number, which swagger documents as a list of texts' })
  @ApiParam({ name: 'id', enum: ['1', '2'], description: 'Its number' })
  @Get('otherwise/:id')
  documentedOtherwise(
    @Param('id', ParseIntPipe) id: number,
    @Headers('user-agent') client?: string,
  ) {
    return { id, client };
  }

  @Tool({ description: 'A uuid', examples: [{ input: { id: 'x' } }] })
  @Get('uuid/:id')
  uuid(@Param('id', ParseUUIDPipe) id: string) {
    return { id };
  }

  @Tool({ description: 'A body DTO' })
  @Post()
  create(@Body() order: OrderDto) {
    return order;
  }

  @Tool({ description: 'A body whose field clashes' })
  @Put(':id')
  replace(@Param('id') id: string, @Body() body: ClashDto) {
    return { id, body };
  }

  @Tool({ description: 'A body of optional fields, one of which clashes' })
  @Put(':id/some')
  replaceSome(
    @Param('id') id: string,
    @Body() body: SomeDto,
    // The global pipe makes an object of a missing body, so the handler tells what was sent.
    @Headers('content-type') type: string | undefined,
  ) {
    return { id, body, type: type ?? 'none' };
  }

  @Tool({ description: 'A body that nobody declared' })
  @Put(':id/any')
  replaceAny(@Param('id') id: string, @Req() request: IncomingMessage) {
    return { id, type: request.headers['content-type'] ?? 'none' };
  }

  @Tool({ description: 'Fields of a body' })
  @Patch(':id')
  patch(@Param('id') id: string, @Body('title') title: string, @Body('note') note: string) {
    return { id, title, note };
  }

  @Tool({ description: 'A body that is a list' })
  @Post('many')
  many(@Body(new ParseArrayPipe({ items: LineDto })) lines: LineDto[]) {
    return { lines };
  }

  @Tool({ description: 'Any object' })
  @Post('free')
  free(@Body() body: Record<string, unknown>) {
    return { body };
  }

  @Tool({ description: 'All path parameters at once' })
  @Get('all/:a/:b')
  wholeParams(@Param() params: Record<string, string>) {
    return params;
  }

  @Tool({ description: 'Nothing of the model’s' })
  @Get('injected')
  injected(
    @CurrentUser() user: unknown,
    @Req() request: object,
    @Ip() ip: string,
    @HostParam() hosts: unknown,
    @Session() session: unknown,
    @Headers() headers: object,
    @Headers('authorization') authorization: string,
    @Headers('Cookie') cookie: string,
    @Headers('x-forwarded-for') forwardedFor: string,
    @Headers('Idempotency-Key') key: string,
    @Headers('x-http-method-override') override: string,
    @Headers('Host') host: string,
  ) {
    return [user, typeof request, ip, hosts, session, typeof headers, authorization, cookie].concat(
      [forwardedFor, key, override, host],
    );
  }

  @Tool({ description: 'Changes one version' })
  @ApiHeader({ name: 'If-Match', required: true, description: 'The version, in quotes' })
  @Patch('versions/:id')
  change(@Param('id') id: string, @Headers('if-match') version?: string) {
    if (version === undefined) throw new PreconditionFailedException('Name the version.');
    return { id, version };
  }

  @Tool({ description: 'Removes' })
  @Delete(':id')
  remove(@Param('id') id: string) {
    return { removed: id };
  }

  @Tool({ description: 'Only the head' })
  @Head('head')
  head() {}

  @Tool({ description: 'Any method', method: 'PUT' })
  @All('any/method')
  any(@Req() request: { readonly method: string }) {
    return { method: request.method };
  }

  @ApiOperation({ summary: 'Documented elsewhere' })
  @ApiParam({ name: 'id', description: 'The id', example: 'a-1' })
  @ApiQuery({
    name: 'from',
    required: true,
    description: 'First day',
    schema: { type: 'string', format: 'date' },
  })
  @ApiQuery({ name: 'kinds', enum: Colour, isArray: true, required: false })
  @ApiHeader({ name: 'x-flavour', description: 'Its flavour', enum: ['sweet', 'sour'] })
  @Tool()
  @Get('documented/:id')
  documented(@Param('id') id: string, @Query('from') from: string, @Req() request: object) {
    const { query, headers } = request as { query: object; headers: Record<string, unknown> };
    return { id, from, query: { ...query }, flavour: headers['x-flavour'] };
  }

  @ApiBody({ type: LineDto })
  @Tool({ description: 'A documented body' })
  @Post('documented')
  documentedBody(@Body() line: unknown) {
    return { line };
  }

  @Tool({ description: 'Described for the model' })
  @Get('hinted')
  hinted(
    @ToolParam('q', { description: 'What to look for', required: true, enum: ['a', 'b'] })
    @Query('q')
    q: string,
  ) {
    return { q };
  }

  @Tool({
    description: 'Input of its own',
    input: {
      type: 'object',
      properties: { id: { type: 'string' }, size: { type: 'integer' } },
      required: ['id'],
      additionalProperties: false,
    },
  })
  @Get('own/:id')
  own(@Req() request: object) {
    const { params, query } = request as { params: object; query: object };
    return { params: { ...params }, query: { ...query } };
  }
}
