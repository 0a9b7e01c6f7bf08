import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

const pages = ['index.html', 'use-chat.html', 'assistant-ui.html', 'ag-ui.html', 'element.html'];
// As the package nestjs-agent has it.
const element = fileURLToPath(new URL('../../libs/chat-ui/dist/agent-chat.mjs', import.meta.url));
// Its packages are installed on their own: npm ci --prefix copilotkit
if (existsSync('copilotkit/node_modules')) pages.push('copilotkit.html');

export default defineConfig({
  plugins: [react()],
  // The packages of copilotkit/ use the one React of all pages.
  resolve: {
    dedupe: ['react', 'react-dom'],
    alias: { 'nestjs-agent/ui/agent-chat.js': element },
  },
  build: {
    rollupOptions: { input: pages },
    chunkSizeWarningLimit: 8000,
  },
  // #region proxy
  server: { proxy: { '/agent': 'http://127.0.0.1:3000' } },
  // #endregion proxy
});
