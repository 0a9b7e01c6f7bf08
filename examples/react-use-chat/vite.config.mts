import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: 'web',
  plugins: [react()],
  build: { outDir: '../dist/web', emptyOutDir: true, chunkSizeWarningLimit: 1000 },
  // For `npx vite`, while you write the page: the agent runs beside it.
  server: { proxy: { '/agent': 'http://127.0.0.1:3000' } },
});
