import { Module, UseGuards } from '@nestjs/common';
import { TypeOrmModule } from '@nestjs/typeorm';
import { AgentModule } from 'nestjs-agent';
import { AuthModule } from './auth/auth.module';
import { JwtAuthGuard } from './auth/jwt-auth.guard';
import { TasksModule } from './tasks/tasks.module';

@Module({
  imports: [
    TypeOrmModule.forRoot({
      type: 'sqljs', // SQLite without a native module
      location: 'tasks.sqlite',
      autoSave: true,
      autoLoadEntities: true,
      synchronize: true, // a real application has migrations
    }),
    AuthModule,
    TasksModule,
    AgentModule.forRoot({
      systemPrompt: 'You keep the task list of the user.',
      decorators: [UseGuards(JwtAuthGuard)], // for the agent's own endpoints
      ui: { loginUrl: '/', headersKey: 'tasks.headers' }, // its chat page
    }),
  ],
})
export class AppModule {}
