import {
  type ArgumentMetadata,
  Body,
  Controller,
  createParamDecorator,
  type ExecutionContext,
  Get,
  Headers,
  Param,
  Patch,
  type PipeTransform,
  Post,
  Put,
  Query,
  RawBody,
  Req,
  UsePipes,
} from '@nestjs/common';
import { ApiBody, ApiOkResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { plainToInstance, Transform, Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsNumber,
  IsOptional,
  IsString,
  ValidateNested,
} from 'class-validator';
import { Tool } from 'nestjs-agent';
import * as z from 'zod';
import { createZodDto } from './zod-dto';

/** As in Nest's own samples: nothing but types. */
export class CreateCatDto {
  name!: string;
  age!: number;
}

interface CatFilter {
  readonly breed?: string;
}

export class DescribedCatDto {
  @IsString()
  name!: string;
}

class RoleDto {
  @ApiProperty()
  @IsNumber()
  id!: number;
}

class FilterUserDto {
  @ApiPropertyOptional({ type: RoleDto })
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => RoleDto)
  roles?: RoleDto[] | null;
}

class SortUserDto {
  @Type(() => String)
  @IsString()
  orderBy!: string;

  @IsString()
  order!: string;
}

/** The query of a published boilerplate. */
export class QueryUserDto {
  @ApiPropertyOptional()
  @Transform(({ value }) => (value ? Number(value) : 1))
  @IsNumber()
  @IsOptional()
  page?: number;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @Transform(({ value }: { value?: string }) =>
    value ? plainToInstance(FilterUserDto, JSON.parse(value)) : undefined,
  )
  @ValidateNested()
  @Type(() => FilterUserDto)
  filters?: FilterUserDto | null;

  @ApiPropertyOptional({ type: String })
  @IsOptional()
  @Transform(({ value }: { value?: string }) =>
    value ? plainToInstance(SortUserDto, JSON.parse(value) as object[]) : undefined,
  )
  @ValidateNested({ each: true })
  @Type(() => SortUserDto)
  sort?: SortUserDto[] | null;

  @ApiPropertyOptional({ type: String, description: 'Parted by commas' })
  @IsOptional()
  @Transform(({ value }: { value: string }) => value.split(','))
  @IsArray()
  @IsString({ each: true })
  fields?: string[];

  @ApiPropertyOptional({ type: [String], maxItems: 3 })
  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  @ArrayMaxSize(9)
  tags?: string[];
}

export class TodoDto extends createZodDto(
  z.object({
    title: z.string().min(1).describe('What is to be done'),
    due: z.coerce.date().optional(),
    kind: z.literal('todo').default('todo'),
    meta: z.object({ colour: z.string().describe('Of the note') }).optional(),
  }),
) {}

const tree: z.ZodObject = z.object({
  name: z.string(),
  get branches() {
    return z.array(tree).optional();
  },
});

/** Its JSON Schema refers to its own root. */
export class TreeDto extends createZodDto(tree) {}

const isoDate = z.codec(z.iso.datetime(), z.date(), {
  decode: (text) => new Date(text),
  encode: (date) => date.toISOString(),
});

export class DoneDto extends createZodDto(z.object({ at: isoDate }), { codec: true }) {}

/** Decorators that read the request themselves, as those of frameworks above Nest do. */
const TypedParam = createParamDecorator(
  (name: string, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ params: Record<string, string> }>().params[name],
);
const TypedBody = createParamDecorator(
  (_: undefined, context: ExecutionContext) =>
    context.switchToHttp().getRequest<{ body?: unknown }>().body,
);

const Adoption = z.object({ cat: z.string().min(1), fee: z.number().int().positive() });

/** A schema's check of the body, as NestJS's guide to pipes has it. */
class SchemaPipe implements PipeTransform {
  constructor(private readonly schema: z.ZodType) {}

  transform(value: unknown, { type }: ArgumentMetadata): unknown {
    return type === 'body' ? this.schema.parse(value) : value;
  }
}

@Controller('shapes')
export class ApplicationShapesController {
  @Tool({ name: 'adopt_cat', description: 'Adopt a cat', permission: 'allow' })
  @Post('adoptions/:house')
  @UsePipes(new SchemaPipe(Adoption))
  adopt(@Param('house') house: string, @Body() adoption: z.infer<typeof Adoption>) {
    return { house, ...adoption };
  }

  @Tool({ name: 'reserve_cat', description: 'Reserve a cat', permission: 'allow' })
  @Post('reservations/:house')
  reserve(
    @Param('house') house: string,
    @Body(new SchemaPipe(Adoption.optional())) adoption?: z.infer<typeof Adoption>,
  ) {
    return { house, adoption: adoption ?? 'none' };
  }

  @Tool({ name: 'invite', description: 'Invite somebody', permission: 'allow' })
  @ApiBody({
    schema: {
      type: 'object',
      properties: {
        email: { type: 'string', format: 'email', description: 'Of the guest' },
        roles: { type: 'array', items: { type: 'string', enum: ['admin', 'member'] } },
      },
      required: ['email'],
    },
  })
  @Post('invitations')
  invite(@Body('email') email: string, @Body('roles') roles?: string[]) {
    return { email, roles: roles ?? 'none' };
  }

  @Tool({ name: 'resize', description: 'Resize a house', permission: 'allow' })
  @ApiBody({ schema: { type: 'object', properties: { rooms: { type: 'integer' } } } })
  @Post('sizes')
  resize(@Body('rooms') rooms: number) {
    return { rooms };
  }

  @Tool({ name: 'finish_todo', description: 'Says when a todo was done' })
  @ApiOkResponse({ type: DoneDto })
  @Get('done')
  done() {
    return { at: new Date(0) };
  }

  @Tool({ name: 'plant', description: 'Plants a tree' })
  @Post('trees')
  plant(@Body() planted: TreeDto) {
    return planted;
  }

  @Tool({ name: 'plant_in', description: 'Plants a tree', input: tree })
  @Post('trees/:garden')
  plantIn(@Param('garden') garden: string, @Body() planted: object) {
    return { garden, planted };
  }

  @Tool({ name: 'typed_order', description: 'Places an order', input: DescribedCatDto })
  @Post('typed/:customer')
  typed(@TypedParam('customer') customer: string, @TypedBody() body: unknown) {
    return { customer, body };
  }

  @Tool({ name: 'create_cat', description: 'Adds a cat' })
  @Post('cats/:shelter')
  create(@Param('shelter') shelter: string, @Body() createCatDto: CreateCatDto) {
    return { shelter, cat: createCatDto };
  }

  @Tool({ name: 'describe_cat', description: 'Adds a cat', input: DescribedCatDto })
  @Post('described/:shelter')
  describe(@Param('shelter') shelter: string, @Body() body: CreateCatDto) {
    return { shelter, body };
  }

  @Tool({ name: 'find_cats', description: 'Finds cats' })
  @Get('cats')
  find(@Query('limit') limit: string, @Query() query: object) {
    return { limit, query: { ...query } };
  }

  @Tool({ name: 'filter_cats', description: 'Finds cats' })
  @Get('filtered')
  filter(@Query() filter: CatFilter) {
    return { ...filter };
  }

  @Tool({ name: 'order', description: 'Places an order' })
  @Post('orders/:customer')
  order(@Req() request: { readonly params: object; readonly body?: unknown }) {
    return { params: { ...request.params }, body: request.body };
  }

  @ApiBody({ type: DescribedCatDto })
  @Tool({ name: 'documented_order', description: 'Places an order' })
  @Put('orders')
  documented(@Req() request: { readonly body?: unknown }) {
    return request.body;
  }

  @Tool({ name: 'signed_order', description: 'Places an order' })
  @Post('signed')
  signed(@RawBody() raw: Buffer | undefined, @Headers('content-type') type: string) {
    return { type, raw: raw?.toString() };
  }

  @Tool({ name: 'rename', description: 'Renames', input: DescribedCatDto })
  @Patch('orders/:id')
  rename(@Param('id') id: string, @Req() request: { readonly body?: unknown }) {
    return { id, body: request.body };
  }

  @Tool({ name: 'list_users', description: 'Lists users' })
  @Get('users')
  users(@Query() query: QueryUserDto) {
    return { ...query };
  }

  @Tool({ name: 'get_user', description: 'Looks a user up' })
  @Get('users/:id')
  user(@Param('id') id: string, @Query('code') code: string, @Query('flag') flag: string) {
    return { id, code, flag };
  }

  @Tool({ name: 'add_todo', description: 'Adds something to do' })
  @Post('todos')
  todo(@Body() todo: TodoDto) {
    const { due, ...rest } = todo as { readonly due?: Date };
    return { ...rest, ...(due && { due: due.getUTCFullYear() }) };
  }
}
