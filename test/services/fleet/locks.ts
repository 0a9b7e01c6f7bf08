import { Injectable, UseGuards } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';
import { CANARY } from './canary';
import { tell } from './deed';
import { LoginGuard } from './login.guard';

/** The key that fits. */
export const PRESET_KEY = `${CANARY}-preset`;

/** A provider's tool behind a guard, with an argument that the model never sees. */
@Toolkit({ description: 'Locks' })
@Injectable()
export class Locks {
  @Tool({ description: 'Unlocks', readOnly: true })
  @UseGuards(LoginGuard)
  unlock(
    @ToolParam('tag') tag: string,
    @ToolParam('step') step: string,
    @ToolParam('key') key: string,
  ): string {
    if (key !== PRESET_KEY) return 'the key does not fit';
    tell({ kind: 'unlocks', tag, step: Number(step) });
    return 'the key fits';
  }
}
