import { describeRecordings } from './describe-recordings';

describeRecordings('responses');
