import type { NestExpressApplication } from '@nestjs/platform-express';
import { uiAssetsFolder } from 'nestjs-agent/ui';

export function configure(app: NestExpressApplication): void {
  // #region cors
  app.enableCors({
    origin: process.env.SHOP_ORIGIN ?? 'https://shop.example',
    methods: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
  });
  // #endregion cors
  // #region assets
  app.useStaticAssets(uiAssetsFolder(), { prefix: '/assets/' });
  // #endregion assets
}
