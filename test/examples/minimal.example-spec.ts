import { describeReadme } from './support/readme';

describeReadme('minimal');
