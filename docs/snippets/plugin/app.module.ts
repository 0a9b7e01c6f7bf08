import { Module } from '@nestjs/common';
import { AgentModule } from 'nestjs-agent';
import metadata from './metadata';

@Module({ imports: [AgentModule.forRoot({ metadata })] })
export class AppModule {}
