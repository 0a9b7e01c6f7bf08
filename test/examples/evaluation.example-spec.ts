import { describeReadme } from './support/readme';

describeReadme('evaluation');
