import { describeRecordings } from './describe-recordings';

describeRecordings('openai');
