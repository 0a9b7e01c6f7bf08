import { Injectable } from '@nestjs/common';
import { Tool, ToolError, Toolkit, ToolParam } from 'nestjs-agent';

@Toolkit({ description: 'Arithmetic' })
@Injectable()
export class MathTools {
  @Tool({ description: 'Add two numbers', readOnly: true })
  add(
    @ToolParam('a', { description: 'First number' }) a: number,
    @ToolParam('b', { description: 'Second number' }) b: number,
  ): number {
    return a + b;
  }

  @Tool({ description: 'Subtract the second number from the first', readOnly: true })
  subtract(
    @ToolParam('a', { description: 'Number to subtract from' }) a: number,
    @ToolParam('b', { description: 'Number to subtract' }) b: number,
  ): number {
    return a - b;
  }

  @Tool({ description: 'Multiply two numbers', readOnly: true })
  multiply(
    @ToolParam('a', { description: 'First number' }) a: number,
    @ToolParam('b', { description: 'Second number' }) b: number,
  ): number {
    return a * b;
  }

  @Tool({ description: 'Divide the first number by the second', readOnly: true })
  divide(
    @ToolParam('a', { description: 'Number to divide' }) a: number,
    @ToolParam('b', { description: 'Number to divide by' }) b: number,
  ): number {
    if (b === 0) throw new ToolError('Nothing can be divided by 0.');
    return a / b;
  }
}
