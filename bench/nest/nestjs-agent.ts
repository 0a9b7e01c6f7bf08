// This library in a Nest application, its tool a provider's method.
import { Module } from '@nestjs/common';
import { agentModule, serve } from './nest-server';
import { OrderTools } from './order-tools';

@Module({ imports: [agentModule()], providers: [OrderTools] })
class AppModule {}

void serve(AppModule);
