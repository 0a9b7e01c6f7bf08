import { Injectable, Module } from '@nestjs/common';

/** Stands for the configuration that you have. */
@Injectable()
export class Settings {
  readonly shop = 'Lamps & Co';
  readonly maxSteps = 8;
}

@Module({ providers: [Settings], exports: [Settings] })
export class SettingsModule {}
