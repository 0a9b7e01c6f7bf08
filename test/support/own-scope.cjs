// Which test files run in a scope of their own, as Jest does it, with every module loaded again: those
// that replace modules, or timers that others use as well; those that ask for it (`@jest-environment
// node`); those of recordings and of the package; and all files while Jest watches or counts coverage.
const { readFileSync } = require('node:fs');
const process = require('node:process');

const REPLACES_MODULES =
  /\bjest\.(?:mock|doMock|setMock|unstable_mockModule|isolateModules|resetModules)/;
const REPLACES_TIMERS = /\bjest\.useFakeTimers/;
const ASKS_FOR_IT = /^ \* @jest-environment node$/m;
/** Node's own fetch would keep the replaced timers. */
const OVER_NETWORK = /\.(?:e2e|services)-spec\.ts$/;
const OTHER_SUITE = /\.(?:recordings|package)-spec\.ts$/;

exports.needsOwnScope = (testPath, { collectCoverage, watch, watchAll }) =>
  collectCoverage || watch || watchAll || OTHER_SUITE.test(testPath) || replaces(testPath);

function replaces(testPath) {
  const source = readFileSync(testPath, 'utf8');
  if (REPLACES_MODULES.test(source) || ASKS_FOR_IT.test(source)) return true;
  // Outside a worker Jest's reporters use the same timers.
  const areShared = OVER_NETWORK.test(testPath) || process.channel === undefined;
  return areShared && REPLACES_TIMERS.test(source);
}
