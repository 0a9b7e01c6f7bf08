import {
  Body,
  ClassSerializerInterceptor,
  Controller,
  Get,
  Injectable,
  Patch,
  UseInterceptors,
  ValidationPipe,
} from '@nestjs/common';
import { ApiOkResponse, ApiProperty, ApiPropertyOptional } from '@nestjs/swagger';
import { Expose, Type } from 'class-transformer';
import { IsOptional, IsString, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-agent';
import { type AdapterName, RouteToolApplication } from './route-tools/route-tool-application';

class PhotoDto {
  @ApiPropertyOptional()
  @IsOptional()
  @IsString()
  path?: string;
}

/** As the user of a published boilerplate: what may be taken away is nullable. */
class UserDto {
  @ApiProperty()
  @Expose()
  @IsString()
  name!: string;

  @ApiPropertyOptional({ type: () => PhotoDto, nullable: true })
  @Expose()
  @IsOptional()
  @ValidateNested()
  @Type(() => PhotoDto)
  photo?: PhotoDto | null;

  @ApiPropertyOptional({ type: () => [PhotoDto], nullable: true })
  @Expose()
  @IsOptional()
  @ValidateNested({ each: true })
  @Type(() => PhotoDto)
  album?: PhotoDto[] | null;

  @ApiPropertyOptional({ type: Date, nullable: true })
  @Expose()
  @IsOptional()
  @Type(() => Date)
  deletedAt?: Date | null;
}

const NULLS = { name: 'Ann', photo: null, album: null, deletedAt: null };

@Controller('users')
class UsersController {
  @Tool({ name: 'update_user', description: 'Updates the user' })
  @Patch()
  update(@Body() user: UserDto) {
    return { isPhotoRemoved: user.photo === null, user };
  }

  @Tool({ name: 'get_user', description: 'The user' })
  @UseInterceptors(ClassSerializerInterceptor)
  @ApiOkResponse({ type: UserDto })
  @Get()
  get() {
    return Object.assign(new UserDto(), NULLS);
  }
}

@Injectable()
class UserTools {
  @Tool({ description: 'Updates the user', input: UserDto })
  change(user: UserDto) {
    return { isTyped: user instanceof UserDto, isPhotoRemoved: user.photo === null, user };
  }

  @Tool({ description: 'The user', readOnly: true, output: UserDto })
  show() {
    return Object.assign(new UserDto(), NULLS);
  }
}

describe.each<AdapterName>(['express', 'fastify'])('null on %s', (adapter) => {
  let tools: RouteToolApplication;

  beforeAll(async () => {
    tools = await RouteToolApplication.start({
      adapter,
      controllers: [UsersController],
      providers: [UserTools],
      configure: (app) =>
        app.useGlobalPipes(new ValidationPipe({ transform: true, whitelist: true })),
    });
  });

  afterAll(() => tools.close());

  it('stays null where a property with @Type is nullable, and is shown so', async () => {
    const updated = await tools.call('update_user', NULLS);
    expect(updated.call.input).toEqual(NULLS);
    expect(updated.result).toEqual({ isPhotoRemoved: true, user: NULLS });
    const changed = await tools.call('change', NULLS);
    expect(changed.call.input).toEqual(NULLS);
    expect(changed.content).toBe(
      JSON.stringify({ isTyped: true, isPhotoRemoved: true, user: NULLS }),
    );
  });

  it('stays null in a result', async () => {
    expect((await tools.call('get_user')).content).toBe(JSON.stringify(NULLS));
    expect((await tools.call('show')).content).toBe(JSON.stringify(NULLS));
  });
});
