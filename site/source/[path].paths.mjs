import { linkedSources, sourceName, sourcePage } from '../links.mjs';

export default {
  paths: () =>
    linkedSources().map((file) => ({
      params: { path: sourceName(file) },
      content: sourcePage(file),
    })),
};
