import { describeReadme } from './support/readme';

describeReadme('custom-store');
