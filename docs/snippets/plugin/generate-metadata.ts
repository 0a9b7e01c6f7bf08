import { join } from 'node:path';
import { PluginMetadataGenerator, ReadonlyVisitor } from 'nestjs-agent/plugin';

const source = join(__dirname, 'src');
new PluginMetadataGenerator().generate({
  visitors: [new ReadonlyVisitor({ pathToSource: source })],
  outputDir: source,
  tsconfigPath: 'tsconfig.build.json',
});
