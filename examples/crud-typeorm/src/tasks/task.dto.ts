import { ApiProperty, PartialType } from '@nestjs/swagger';
import { IsBoolean, IsNotEmpty, IsOptional, IsString } from 'class-validator';

export class CreateTaskDto {
  @ApiProperty({ description: 'What must be done' })
  @IsString()
  @IsNotEmpty()
  title!: string;
}

export class UpdateTaskDto extends PartialType(CreateTaskDto) {
  @ApiProperty({ required: false, description: 'Whether it is done' })
  @IsOptional()
  @IsBoolean()
  done?: boolean;
}
