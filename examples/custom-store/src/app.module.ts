import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import { ClockTools } from './clock.tools';
import { FileStore } from './file.store';

@Module({
  imports: [AgentModule.forRoot({ sessions: { store: new FileStore('.sessions') } })],
  providers: [ClockTools],
})
export class AppModule {}
