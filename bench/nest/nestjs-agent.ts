// This library in a Nest application, its tool a provider's method.
import 'reflect-metadata';
import { Injectable, Module } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { findOrder, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';
import { agentModule, serve } from './nest-server';

@Toolkit({ description: 'Orders of the shop' })
@Injectable()
class OrderTools {
  @Tool({ name: TOOL_NAME, description: TOOL_DESCRIPTION, readOnly: true })
  find(@ToolParam('id', { schema: { type: 'integer' } }) id: number) {
    return findOrder(id);
  }
}

@Module({ imports: [agentModule], providers: [OrderTools] })
class AppModule {}

void serve(AppModule);
