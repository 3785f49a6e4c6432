import { existsSync, globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'

/** Options of every project: mocks are restored after each test, and timeouts suit a busy computer. */
const common = { pool: 'forks', restoreMocks: true, unstubEnvs: true, expect: { poll: { timeout: 10_000 } } } as const

/** Files share a process, so that everything is loaded once. */
const shared = { ...common, isolate: false } as const
/** Files that examine everything loaded in a process, so each needs its own. */
const LOOKING = globSync('packages/server/{src,test}/**/*.test.ts', { cwd: import.meta.dirname }).filter((file) =>
  readFileSync(join(import.meta.dirname, file), 'utf8').includes('registeredStatements('),
)
/** Few lines that take long: those of a part in one order, the longest first. `npm test` lists the slowest files. */
const LONG = [
  'trials/simulation/planted-bugs.test.ts',
  'trials/simulation/crash-points.test.ts',
  'trials/simulation/even-seeds.test.ts',
  'trials/simulation/odd-seeds.test.ts',
  'packages/server/test/bitcoin/whole-life.test.ts',
  'packages/server/test/bitcoin/payouts-killed.test.ts',
  'packages/server/test/bitcoin/whole-crashes.test.ts',
  'packages/server/test/bitcoin/whole-clock.test.ts',
  'packages/server/test/bitcoin/whole-refusals.test.ts',
  'packages/server/test/lightning-node/incoming.test.ts',
  'packages/server/src/modules/draws/crashes.test.ts',
  'packages/server/src/main/backup/backup.test.ts',
  'packages/server/src/modules/payments/hold.test.ts',
  'packages/server/src/modules/draws/late-beacon.test.ts',
  'packages/server/test/console-process.test.ts',
  'packages/server/test/demo-console.test.ts',
  'trials/hostile/every-endpoint.test.ts',
  'packages/server/src/modules/draws/any-change.test.ts',
  'packages/server/src/db/embedded-postgres.test.ts',
  'packages/server/test/demo-clock.test.ts',
  'packages/verifier/src/python.test.ts',
].map((path) => join(import.meta.dirname, path))
for (const path of LONG) if (!existsSync(path)) throw new Error(`LONG names ${path}, which does not exist`)
/**
 * Long files begin first, so that none of them runs alone at the end while the other process has nothing left to do.
 * Without results of an earlier run, Vitest itself only knows the sizes of the files.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId, project }: TestSpecification): number => {
      const place = LONG.indexOf(moduleId)
      // A process that files share ends where those begin that need one of their own.
      return project.name === 'server-alone' ? -1 : place === -1 ? LONG.length : place
    }
    const sorted = await super.sort(files)
    return sorted.sort((a, b) => placeOf(a) - placeOf(b))
  }
}
/** The same signatures are checked a thousand times: each question is computed once in a process (trials/mutation/kept.ts). */
const KEPT_CURVES = ['bls12-381', 'ed25519'].map((curve) => ({
  find: new RegExp(`^@noble/curves/${curve}\\.js$`),
  replacement: join(import.meta.dirname, `trials/mutation/kept-${curve}.ts`),
}))
/** The same passwords are hashed and checked a thousand times. */
const KEPT_HASHES = {
  find: /^\.\/password-threads\.ts$/,
  replacement: join(import.meta.dirname, 'packages/server/test/kept-hashes.ts'),
}
/** The same wallets' keys are derived in each test. */
const KEPT_KEYS = {
  find: /^@scure\/bip32$/,
  replacement: join(import.meta.dirname, 'packages/server/test/kept-keys.ts'),
}
const database = {
  environment: 'node',
  globalSetup: 'packages/server/test/global-setup.ts',
  testTimeout: 20_000, // a real PostgreSQL on a busy computer
  hookTimeout: 60_000,
} as const
export default defineConfig({
  test: {
    maxWorkers: 2,
    sequence: { sequencer: LongestFirst },
    projects: [
      {
        resolve: { alias: KEPT_CURVES },
        test: {
          ...shared,
          name: 'domain',
          environment: 'node',
          include: ['packages/domain/src/**/*.test.ts'],
          testTimeout: 20_000, // some compute for long, on a busy computer
        },
      },
      { test: { ...shared, name: 'contract', environment: 'node', include: ['packages/contract/src/**/*.test.ts'] } },
      {
        resolve: { alias: [...KEPT_CURVES, KEPT_HASHES, KEPT_KEYS] },
        test: {
          ...shared,
          ...database,
          name: 'server',
          include: ['packages/server/{src,test}/**/*.test.ts', 'trials/hostile/**/*.test.ts'],
          exclude: ['packages/server/test/bitcoin/**', 'packages/server/test/lightning-node/**', ...LOOKING],
        },
      },
      {
        resolve: { alias: KEPT_CURVES },
        test: { ...common, ...database, name: 'server-alone', include: LOOKING },
      },
      {
        resolve: { alias: [...KEPT_CURVES, KEPT_KEYS] },
        test: {
          ...shared,
          name: 'simulation',
          environment: 'node',
          include: ['trials/simulation/**/*.test.ts'],
          maxConcurrency: 3, // as the simulation's lanes
          globalSetup: ['packages/server/test/global-setup.ts'],
        },
      },
      {
        test: {
          ...shared,
          name: 'bitcoin',
          environment: 'node',
          include: ['packages/server/test/bitcoin/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
          testTimeout: 60_000, // real nodes that are started, stopped and disconnected from each other
          hookTimeout: 120_000,
        },
      },
      {
        test: {
          ...common,
          name: 'lightning',
          environment: 'node',
          include: ['packages/server/test/lightning-node/**/*.test.ts'],
          globalSetup: ['packages/server/test/global-setup.ts'],
          testTimeout: 60_000, // real nodes, on a busy computer
          hookTimeout: 180_000,
        },
      },
      {
        resolve: { alias: KEPT_CURVES },
        test: { ...shared, name: 'web', environment: 'node', include: ['packages/{ui,web,console}/src/**/*.test.ts'] },
      },
      {
        resolve: { alias: KEPT_CURVES },
        test: {
          ...common,
          pool: 'vmThreads', // each file has its own React, scheduler and page memory, which costs less than a process
          name: 'web-components',
          environment: 'happy-dom',
          include: ['packages/{ui,web,console}/src/**/*.test.tsx'],
          setupFiles: 'packages/ui/src/testing/without-stacks.ts',
          css: { modules: { classNameStrategy: 'non-scoped' } },
          testTimeout: 20_000,
        },
      },
      {
        resolve: { alias: KEPT_CURVES },
        test: {
          ...shared,
          name: 'programs',
          environment: 'node',
          include: ['packages/{verifier,witness}/src/**/*.test.ts'],
          testTimeout: 30_000, // programs are started, on a busy computer
        },
      },
      {
        test: {
          ...shared,
          name: 'tools',
          environment: 'node',
          include: ['scripts/**/*.test.mjs'],
          testTimeout: 20_000, // some read every file of the repository, on a busy computer
        },
      },
    ],
  },
})
