import { Type } from 'class-transformer';
import {
  ArrayMaxSize,
  IsArray,
  IsEnum,
  IsInt,
  IsOptional,
  IsString,
  Max,
  MaxLength,
  Min,
  ValidateNested,
} from 'class-validator';
import { ToolField } from 'nestjs-agent';

export enum Kind {
  Talk = 'talk',
  Workshop = 'workshop',
}

// #region event
export class GuestDto {
  @IsString()
  name!: string;

  @IsOptional()
  @IsInt()
  @Min(0)
  age?: number;
}

export class EventDto {
  @ToolField({ description: 'What it is called', example: 'Knitting for all' })
  @IsString()
  @MaxLength(80)
  title!: string;

  @IsEnum(Kind)
  kind: Kind = Kind.Talk; // an initialiser makes it optional

  @IsInt()
  @Max(200)
  seats!: number;

  @IsArray()
  @ArrayMaxSize(3)
  @ValidateNested({ each: true })
  @Type(() => GuestDto)
  guests!: GuestDto[];
}
// #endregion event
