import { defineConfig } from 'vite';

// Whoever builds it, a test run included, gets what is delivered.
process.env['NODE_ENV'] = 'production';

/** Files for plain script tags: one self-contained file each. */
const SCRIPT_TAGS: Readonly<Record<string, { entry: string; name: string; file: string }>> = {
  'script-tag': { entry: 'src/index.ts', name: 'NestjsAgentChat', file: 'agent-chat.js' },
  // It shares sources with the chat, and no file: neither one grows by the other.
  workbench: {
    entry: 'src/workbench/index.ts',
    name: 'NestjsAgentWorkbench',
    file: 'agent-workbench.js',
  },
};

/**
 * `agent-chat.js` is one self-contained file that a plain script tag takes; the ES module beside it
 * is for bundlers, and the scripts of the two pages share its build. The workbench is a file of its
 * own.
 */
export default defineConfig(({ mode }) => {
  const scriptTag = SCRIPT_TAGS[mode];
  return {
    oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
    define: { 'process.env.NODE_ENV': '"production"' },
    build: {
      target: 'es2022',
      // Developers have browsers that know `light-dark()`; the chat has a detour for older ones.
      ...(mode === 'workbench' && { cssTarget: ['chrome123', 'firefox120', 'safari17.5'] }),
      emptyOutDir: scriptTag === undefined,
      reportCompressedSize: false,
      rolldownOptions: {
        // Says on a slow machine what took its time: no news to those who start the demo.
        checks: { bundlerTimings: false },
        output: { chunkFileNames: '[name].js', minify: true },
        // Of the server's sources only what is used enters: they have no effects when they load.
        ...(mode === 'workbench' && {
          external: /^node:/,
          treeshake: { moduleSideEffects: false },
        }),
      },
      lib: scriptTag
        ? {
            entry: scriptTag.entry,
            formats: ['iife'],
            name: scriptTag.name,
            fileName: () => scriptTag.file,
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
