import { Injectable } from '@nestjs/common';
import { Tool, Toolkit, ToolParam } from 'nestjs-agent';

// #region toolkit
@Toolkit({ description: 'Sending parcels' })
@Injectable()
export class ShippingTools {
  @Tool({ description: 'The price of sending a parcel, in euros', readOnly: true })
  shipping_price(@ToolParam('kilos') kilos: number) {
    return { euros: 4 + 2 * kilos };
  }
}
// #endregion toolkit
