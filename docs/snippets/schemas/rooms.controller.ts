import { Controller, Get, Query } from '@nestjs/common';
import { ApiOkResponse, ApiOperation, ApiProperty } from '@nestjs/swagger';
import { Tool } from 'nestjs-agent';

// #region swagger
export class RoomQuery {
  @ApiProperty({ description: 'At least so many seats', minimum: 1, required: false })
  seats?: number;

  @ApiProperty({ enum: ['ground', 'first'], nullable: true })
  floor!: string | null;
}

export class RoomDto {
  @ApiProperty()
  name!: string;
}

@Controller('rooms')
export class RoomsController {
  @Tool()
  @ApiOperation({ summary: 'Find a room' })
  @ApiOkResponse({ type: RoomDto })
  @Get()
  find(@Query() query: RoomQuery) {
    return { name: `${query.floor ?? 'any'} floor, ${query.seats ?? 1} seats` };
  }
}
// #endregion swagger
