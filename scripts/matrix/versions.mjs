const BOTH = ['express', 'fastify'];

/**
 * The applications: a version of Nest, its platforms, and the packages of a typical application. What
 * cells need beside them is in the same folder, unless its versions differ: each is an installation less.
 */
export const APPLICATIONS = {
  oldest: {
    nest: '11.0.2',
    platforms: ['express'],
    packages: {
      'class-transformer': '0.4.1',
      'class-validator': '0.13.2',
      'reflect-metadata': '0.1.13',
      rxjs: '7.5.7',
      ...otel2('1.9.0', '2.0.0'),
    },
  },
  // A minor that applications pin.
  pinned: {
    nest: '11.1.18',
    platforms: ['fastify'],
    packages: {
      'class-transformer': '^0.5.1',
      'class-validator': '0.14.0',
      'reflect-metadata': '0.2.2',
      rxjs: '7.8.1',
    },
  },
  nest11: {
    nest: '^11.0.0',
    platforms: BOTH,
    packages: {
      ...latest(),
      '@opentelemetry/api': '^1.10.0',
      '@opentelemetry/context-async-hooks': '^3.1.0',
      '@opentelemetry/core': '^3.1.0',
      '@opentelemetry/instrumentation-express': '^0.72.0',
      '@opentelemetry/instrumentation-http': '^0.301.0',
      '@opentelemetry/instrumentation-nestjs-core': '^0.71.0',
      '@opentelemetry/instrumentation-undici': '^0.34.0',
      '@opentelemetry/sdk-trace': '^3.1.0',
    },
  },
  otel2: {
    nest: '^11.0.0',
    platforms: ['express'],
    packages: { ...latest(), ...otel2('^1.9.1', '^2.12.0') },
  },
  nest12: {
    nest: '^12.0.0',
    platforms: BOTH,
    packages: { ...latest(), ...otel2('^1.9.1', '^2.12.0') },
  },
  newest: {
    nest: '^12.0.0',
    platforms: ['express'],
    packages: {
      ...latest(),
      '@ai-sdk/anthropic': '^4.0.0',
      '@ai-sdk/google': '^4.0.0',
      '@ai-sdk/openai': '^4.0.0',
      '@openai/agents': '^0.20.0',
      '@opentelemetry/api': '^1.10.0',
      '@opentelemetry/context-async-hooks': '^3.1.0',
      '@opentelemetry/sdk-metrics': '^3.1.0',
      '@opentelemetry/sdk-trace': '^3.1.0',
      ai: '^7.0.0',
      zod: '^4.0.0',
    },
  },
};

function latest() {
  return {
    'class-transformer': '^0.5.1',
    'class-validator': '^0.15.1',
    'reflect-metadata': '^0.2.2',
    rxjs: '^7.8.2',
  };
}

function otel2(api, sdk) {
  return {
    '@opentelemetry/api': api,
    '@opentelemetry/context-async-hooks': sdk,
    '@opentelemetry/sdk-metrics': sdk,
    '@opentelemetry/sdk-trace-base': sdk,
  };
}
