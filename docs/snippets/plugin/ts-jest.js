module.exports = {
  transform: {
    '^.+\\.ts$': [
      'ts-jest',
      {
        tsconfig: 'tsconfig.spec.json',
        astTransformers: { before: ['nestjs-agent/plugin'] },
      },
    ],
  },
};
