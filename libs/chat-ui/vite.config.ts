import { defineConfig } from 'vite';

// Whoever builds it, a test run included, gets what is delivered.
process.env['NODE_ENV'] = 'production';

/**
 * `agent-chat.js` is one self-contained file that a plain script tag takes; the ES module beside it
 * is for bundlers, and the scripts of the two pages share its build.
 */
export default defineConfig(({ mode }) => {
  const isScriptTag = mode === 'script-tag';
  return {
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      emptyOutDir: !isScriptTag,
      reportCompressedSize: false,
      rolldownOptions: { output: { chunkFileNames: '[name].js', minify: true } },
      lib: isScriptTag
        ? {
            entry: 'src/index.ts',
            formats: ['iife'],
            name: 'NestjsAgentChat',
            fileName: () => 'agent-chat.js',
          }
        : {
            entry: {
              'agent-chat': 'src/index.ts',
              page: 'src/pages/page.ts',
              sidebar: 'src/pages/sidebar.ts',
            },
            formats: ['es'],
            fileName: (_format, name) => (name === 'agent-chat' ? 'agent-chat.mjs' : `${name}.js`),
          },
    },
  };
});
