import type { ModelError } from 'nestjs-agent';

/** The ids of recorded refusals, by the error code that users of the library get. */
export const ERROR_CODES: Readonly<Partial<Record<ModelError['code'], readonly string[]>>> = {
  model_rate_limited: ['16440958abf0ac', 'ad4bc7c03ea60c'],
  model_authentication: [
    '25f1c031241834',
    'b2285a001c14ab',
    '88c6fdfe8fa4be',
    '9232315f18e514',
    'f871cb712a1e51',
    '02c9c3395f2ac6',
    '79fef28f5bfdc7',
  ],
  model_not_found: [
    '55f6284b638896',
    'c201795d04c799',
    'ce145d64659ed4',
    '5cc4fc2763b6cd',
    'dd441bf322518c',
    '437ace092e4406',
    '65696e1cc085f3',
  ],
  context_too_long: [
    'a91aa33fab7c6e',
    '31b083f9e7cb4a',
    'aa65f8cd5d9ce4',
    'c492fed27036fa',
    'c4fc7a2f28aa14',
  ],
  model_bad_request: [
    '6f779dee54d85f',
    'efe729007fb0b9',
    'fbbc2308428625',
    'ff6e8c108822b3',
    'ed254e399013f4',
    '1cfb15faf9ac24',
    '58ca3b9af1432f',
    'ccd5a283bff6f3',
    'e5c0160a763e36',
  ],
};

/** The retried refusals, with the delay that the service requested. */
export const RETRIED: ReadonlyMap<string, number | undefined> = new Map([
  ['16440958abf0ac', 1_000],
]);
