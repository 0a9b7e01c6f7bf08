import { z } from 'zod';
import type { ForeignTool } from './foreign.tools';

/** Stands for a tool that is written already. */
export const parcelTracking: ForeignTool = {
  name: 'track_parcel',
  description: 'Where a parcel is',
  schema: z.object({ code: z.string().regex(/^[A-Z]{2}\d{4}$/) }),
  invoke: (input) => Promise.resolve(`Parcel ${(input as { code: string }).code} is in Ulm.`),
};
