import { defineConfig } from 'vitest/config'

/** What every project has in common: a process a file, tests that leave nothing replaced behind, and patience on a busy computer. */
const common = { pool: 'forks', restoreMocks: true, unstubEnvs: true, expect: { poll: { timeout: 10_000 } } } as const

export default defineConfig({
  test: {
    maxWorkers: 2,
    projects: [
      { test: { ...common, name: 'domain', environment: 'node', include: ['packages/domain/src/**/*.test.ts'] } },
      { test: { ...common, name: 'contract', environment: 'node', include: ['packages/contract/src/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'server',
          environment: 'node',
          include: ['packages/server/src/**/*.test.ts', 'packages/server/test/**/*.test.ts'],
          exclude: ['packages/server/test/bitcoin/**'],
          globalSetup: ['packages/server/test/global-setup.ts'],
          testTimeout: 20_000, // a real PostgreSQL on a busy computer
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          ...common,
          name: 'simulation',
          environment: 'node',
          include: ['packages/server/sim/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
        },
      },
      {
        test: {
          ...common,
          name: 'bitcoin',
          environment: 'node',
          include: ['packages/server/test/bitcoin/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
          testTimeout: 60_000, // real nodes, that are started, stopped and cut off from each other
          hookTimeout: 120_000,
        },
      },
      { test: { ...common, name: 'web', environment: 'node', include: ['packages/web/src/**/*.test.ts'] } },
      {
        test: {
          ...common,
          name: 'web-components',
          environment: 'happy-dom',
          include: ['packages/web/src/**/*.test.tsx'],
          css: { modules: { classNameStrategy: 'non-scoped' } },
          testTimeout: 20_000,
        },
      },
      {
        test: {
          ...common,
          name: 'programs',
          environment: 'node',
          include: ['packages/{verifier,witness}/src/**/*.test.ts'],
          testTimeout: 30_000, // programs that are started, on a busy computer
        },
      },
      { test: { ...common, name: 'tools', environment: 'node', include: ['scripts/**/*.test.mjs'] } },
    ],
  },
})
