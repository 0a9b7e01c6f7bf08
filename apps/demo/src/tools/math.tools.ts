import { Injectable } from '@nestjs/common';
import { Tool, ToolError } from 'nestjs-agent';

/** Arithmetic */
@Injectable()
export class MathTools {
  /** Add two numbers */
  @Tool({ readOnly: true })
  add(/** First number */ a: number, /** Second number */ b: number): number {
    return a + b;
  }

  /** Subtract the second number from the first */
  @Tool({ readOnly: true })
  subtract(/** Number to subtract from */ a: number, /** Number to subtract */ b: number): number {
    return a - b;
  }

  /**
   * Multiply two numbers
   *
   * @param a First number
   * @param b Second number
   */
  @Tool({ readOnly: true })
  multiply(a: number, b: number): number {
    return a * b;
  }

  /**
   * Divide the first number by the second
   *
   * @param a Number to divide
   * @param b Number to divide by
   */
  @Tool({ readOnly: true })
  divide(a: number, b: number): number {
    if (b === 0) throw new ToolError('Nothing can be divided by 0.');
    return a / b;
  }
}
