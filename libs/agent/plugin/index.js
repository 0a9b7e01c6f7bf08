// `nestjs-agent/plugin` for compilers of this workspace: the plugin's sources, run without a build.
require('../../../test/support/typescript-loader.cjs');
module.exports = require('../src/plugin/index.ts');
