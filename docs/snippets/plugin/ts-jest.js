module.exports = {
  moduleNameMapper: { '^(\\.{1,2}/.+)\\.js$': '$1' },
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
