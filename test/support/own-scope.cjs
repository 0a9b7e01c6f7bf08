// Which test files run in a scope of their own, as Jest does it, with every module loaded again: those
// that replace modules, or timers while they talk over the network, since Node's own fetch would keep the
// replaced ones; those that ask for it (`@jest-environment node`); those of other suites than `npm test`
// and `test:ui`; and all files while Jest watches or counts coverage.
const { readFileSync } = require('node:fs');

const REPLACES_MODULES =
  /\bjest\.(?:mock|doMock|setMock|unstable_mockModule|isolateModules|resetModules)/;
const REPLACES_TIMERS = /\bjest\.useFakeTimers/;
const OVER_NETWORK = /\.e2e-spec\.ts$/;
const ASKS_FOR_IT = /^ \* @jest-environment node$/m;
const OTHER_SUITE = /\.(?:services|recordings|package)-spec\.ts$/;

exports.needsOwnScope = (testPath, { collectCoverage, watch, watchAll }) =>
  collectCoverage ||
  watch ||
  watchAll ||
  OTHER_SUITE.test(testPath) ||
  mustHaveOne(testPath, readFileSync(testPath, 'utf8'));

function mustHaveOne(testPath, source) {
  return (
    REPLACES_MODULES.test(source) ||
    (OVER_NETWORK.test(testPath) && REPLACES_TIMERS.test(source)) ||
    ASKS_FOR_IT.test(source)
  );
}
