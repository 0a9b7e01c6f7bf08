import { Module, UseGuards } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { HeaderGuard } from '../start/header.guard';
import { DoorTools } from './doors.tools';
import { EventTools } from './events.tools';
import { RoomsController } from './rooms.controller';

@Module({
  imports: [AgentModule.forRoot({ decorators: [UseGuards(HeaderGuard)] })],
  controllers: [RoomsController],
  providers: [DoorTools, EventTools],
})
export class AppModule {}
