import { Injectable, ParseIntPipe } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

@Toolkit({ description: 'Arithmetic' })
@Injectable()
export class AdderTools {
  @Tool({ description: 'Add two whole numbers', readOnly: true })
  add(@ToolParam('a') a: number, @ToolParam('b', ParseIntPipe) b: number): number {
    return a + b;
  }
}
