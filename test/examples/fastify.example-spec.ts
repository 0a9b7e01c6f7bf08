import { describeReadme } from './support/readme';

describeReadme('fastify');
