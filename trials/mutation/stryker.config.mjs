import { PARTS } from './parts.mjs'

const { MUTATION_FILES, MUTATION_LOADING, MUTATION_PART, MUTATION_WORKERS } = process.env
const part = PARTS[MUTATION_PART]

/** Used by scripts/mutation.cjs, which sets these variables. */
export default {
  plugins: ['@stryker-mutator/vitest-runner', './trials/mutation/words.mjs'],
  ignorers: ['words'],
  testRunner: 'vitest',
  vitest: { configFile: 'trials/mutation/vitest.config.ts', related: false },
  coverageAnalysis: 'perTest',
  // Code that runs while a file is loaded needs all tests of the part. A first run covers everything else, and a second
  // one only this code.
  ignoreStatic: MUTATION_LOADING !== '1',
  mutate: [...(MUTATION_FILES?.split(',') ?? part.mutate), '!**/*.test.ts', '!**/*-fixture.ts'],
  // Folder for the mutated copy of the project; the project itself is never changed.
  tempDirName: `.cache/mutation/${MUTATION_PART}`,
  ignorePatterns: [
    '**',
    '!trials/mutation/*',
    '!tsconfig.base.json',
    '!package.json',
    ...part.copied.map((folder) => `!${folder}/**`),
  ],
  disableTypeChecks: false,
  concurrency: Number(MUTATION_WORKERS),
  timeoutMS: 10_000,
  reporters: ['json', 'progress-append-only'],
  jsonReporter: { fileName: `.cache/mutation/${MUTATION_PART}.json` },
  warnings: { slow: false },
  thresholds: { high: 94, low: 94, break: null },
}
