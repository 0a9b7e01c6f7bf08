const { join } = require('node:path');
const { PluginMetadataGenerator, ReadonlyVisitor } = require('nestjs-agent/plugin');

const source = join(__dirname, 'src');
new PluginMetadataGenerator().generate({
  visitors: [new ReadonlyVisitor({ pathToSource: source })],
  outputDir: source,
  tsconfigPath: 'tsconfig.build.json',
});
