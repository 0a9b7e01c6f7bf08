export default () => Promise.resolve({});
