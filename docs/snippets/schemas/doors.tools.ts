import { Injectable } from '@nestjs/common';
import { IsString } from 'class-validator';
import { Tool, ToolField, ToolParam } from 'nestjs-agent';

// #region sensitive
export class KeyDto {
  @IsString()
  label!: string;

  @ToolField({ sensitive: true, schema: { type: 'string', pattern: '^[0-9]{4}$' } })
  code!: string;
}

@Injectable()
export class DoorTools {
  @Tool({ description: 'Add a key to a door' })
  add_key(@ToolParam('door') door: string, @ToolParam('key') key: KeyDto) {
    return `${door} opens with ${key.label}, a code of ${key.code.length} digits`;
  }

  @Tool({ description: 'Unlock a door' })
  unlock(@ToolParam('door') door: string, @ToolParam('pin', { sensitive: true }) pin: string) {
    return pin === '9876' ? `${door} is open` : 'The pin is wrong';
  }
}
// #endregion sensitive
