import { describeReadme } from './support/readme';

describeReadme('several-agents');
