export { react } from './react.model';
