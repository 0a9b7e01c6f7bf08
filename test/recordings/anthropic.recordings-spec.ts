import { describeRecordings } from './describe-recordings';

describeRecordings('anthropic');
