import { Injectable, Module } from '@nestjs/common';

@Injectable()
export class Settings {
  readonly mcpSecret = 'from the environment, 16 characters or more';
}

@Module({ providers: [Settings], exports: [Settings] })
export class SettingsModule {}
