// The public API of each entry point as text, docs/api/<entry>.api.md, of the package that is
// built. With --check it fails if a report differs from the committed one.
import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  CompilerState,
  Extractor,
  ExtractorConfig,
  ExtractorLogLevel,
} from '@microsoft/api-extractor';
import { built, root, source } from './paths.mjs';

const isCheck = process.argv.includes('--check');
const reportFolder = join(root, 'docs/api');
const { exports: entries } = JSON.parse(readFileSync(join(source, 'package.json'), 'utf8'));
mkdirSync(reportFolder, { recursive: true });

const configs = new Map(
  Object.entries(entries)
    .filter(([, { types }]) => types?.endsWith('.d.ts'))
    .map(([path, { types }]) => [path === '.' ? 'root' : path.slice(2), join(built, types)])
    .map(([name, declarations]) => [name, configOf(name, declarations)]),
);
// One program for all entry points: they share nearly all of their files.
const [first, ...others] = configs.values();
const compilerState = CompilerState.create(first, {
  additionalEntryPoints: others.map(({ mainEntryPointFilePath }) => mainEntryPointFilePath),
});
const stale = [...configs.keys()]
  .filter((name) => isChanged(configs.get(name)))
  .map((name) => `docs/api/${name}.api.md`);
if (isCheck && stale.length > 0) {
  console.error(
    `The public API is not what is committed: ${stale.join(', ')}.\n` +
      'If the change is meant, run "npm run api" and commit the reports.',
  );
  process.exitCode = 1;
}

function configOf(name, mainEntryPointFilePath) {
  return ExtractorConfig.prepare({
    configObjectFullPath: undefined,
    packageJsonFullPath: join(built, 'package.json'),
    configObject: {
      projectFolder: root,
      mainEntryPointFilePath,
      newlineKind: 'lf',
      compiler: { overrideTsconfig: compilerOptions() },
      apiReport: {
        enabled: true,
        // A type that another public type refers to is public too.
        includeForgottenExports: true,
        reportFileName: name,
        reportFolder,
        reportTempFolder: join(root, 'dist/api'),
      },
      docModel: { enabled: false },
      dtsRollup: { enabled: false },
      tsdocMetadata: { enabled: false },
      messages: { extractorMessageReporting: { default: { logLevel: 'none' } } },
    },
  });
}

function isChanged(config) {
  const { apiReportChanged } = Extractor.invoke(config, {
    compilerState,
    localBuild: !isCheck,
    // It prints its compiler's version, and repeats the message below.
    messageCallback: (message) => {
      if (message.logLevel !== ExtractorLogLevel.Error) message.handled = true;
    },
  });
  return apiReportChanged;
}

/** As in a user's project: no ambient types but Node's. */
function compilerOptions() {
  return {
    compilerOptions: {
      module: 'nodenext',
      moduleResolution: 'nodenext',
      target: 'ES2023',
      lib: ['ES2023'],
      types: ['node'],
      strict: true,
      skipLibCheck: true,
    },
  };
}
