// What the command writes of an evaluation. Every text of a model or a tool passes `printable` on its
// way, whatever the format.
export { junitReport } from './junit-report';
export { TextReport } from './text-report';
