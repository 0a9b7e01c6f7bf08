module.exports = {
  transform: {
    '^.+\\.ts$': ['ts-jest', { astTransformers: { before: ['nestjs-agent/plugin'] } }],
  },
};
