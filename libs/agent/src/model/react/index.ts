export { react } from './react';
