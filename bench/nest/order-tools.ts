// The tool as a provider's method.
import 'reflect-metadata';
import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { findOrder, TOOL_DESCRIPTION, TOOL_NAME } from '../shop.cjs';

@Toolkit({ description: 'Orders of the shop' })
@Injectable()
export class OrderTools {
  @Tool({ name: TOOL_NAME, description: TOOL_DESCRIPTION, readOnly: true })
  find(@ToolParam('id', { schema: { type: 'integer' } }) id: number) {
    return findOrder(id);
  }
}
