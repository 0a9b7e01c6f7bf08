import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import { ApiPropertyOptional } from '@nestjs/swagger';
import { Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, ValidateNested } from 'class-validator';
import { Tool } from 'nestjs-agent';

// #region open
export class CreateCatDto {
  name!: string; // no decorator anywhere: at run time the class says nothing
}

export class CatInput {
  @IsString()
  name!: string;
}
// #endregion open

export class CatFilter {
  @IsInt()
  age!: number;
}

// #region query
export class CatQuery {
  @ApiPropertyOptional({ type: String }) // the wire's type: the model sends text
  @Transform(({ value }: { value?: string }) => value && (JSON.parse(value) as unknown))
  @IsOptional()
  @ValidateNested()
  @Type(() => CatFilter)
  filter?: CatFilter;

  @IsOptional()
  @IsArray()
  @IsString({ each: true })
  breeds?: string[]; // ?breeds=persian&breeds=siamese
}
// #endregion query

@Controller('cats')
export class CatsController {
  // #region open-routes
  @Tool({ name: 'create_cat', description: 'Add a cat', permission: 'allow' })
  @Post('shelters/:shelter')
  create(@Param('shelter') shelter: string, @Body() createCatDto: CreateCatDto) {
    return { shelter, ...createCatDto };
  }

  @Tool({ name: 'add_cat', description: 'Add a cat', permission: 'allow', input: CatInput })
  @Post(':shelter')
  add(@Param('shelter') shelter: string, @Body() createCatDto: CreateCatDto) {
    return { shelter, ...createCatDto };
  }
  // #endregion open-routes

  @Tool({ name: 'find_cats', description: 'Find cats' })
  @Get()
  find(@Query() query: CatQuery) {
    return { ...query };
  }
}
