import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PARTS } from './parts.mjs'

const part = PARTS[process.env['MUTATION_PART'] ?? '']
if (part === undefined) throw new Error('MUTATION_PART must name a part of trials/mutation/parts.mjs')

/** Modules of the libraries that take most of the time and are never mutated, by their faster replacements. */
const REPLACED = {
  'curves/bls12-381': 'kept-bls12-381.ts',
  'curves/ed25519': 'kept-ed25519.ts',
  'hashes/sha2': 'platform-sha2.ts',
  'hashes/hmac': 'platform-hmac.ts',
}

/** Tests of whole bundles and trees, which take longest; those that notice most come first. */
const OF_BUNDLES = ['honest', 'judged', 'vectors', 'collect', 'remote', 'evidence'].map((name) => `/${name}`)

/** The first failing test ends a mutant's run, and the quick tests of the mutated file find most mutants. */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const placeOf = ({ moduleId }: TestSpecification): number => OF_BUNDLES.findIndex((name) => moduleId.includes(name))
    return Promise.resolve(files.toSorted((one, other) => placeOf(one) - placeOf(other)))
  }
}

export default defineConfig({
  resolve: {
    alias: Object.entries(REPLACED).map(([name, replacement]) => ({
      find: new RegExp(`^@noble/${name}\\.js$`),
      replacement: join(import.meta.dirname, replacement),
    })),
  },
  test: {
    environment: 'node',
    include: part.tests,
    exclude: part.slow ?? [],
    // The first run computes every answer of the curves.
    testTimeout: 60_000,
    env: { FAIRNESS_NOTES: '50' },
    sequence: { sequencer: QuickFirst },
    isolate: false, // one thread for all files of a mutant: no test replaces a module
    restoreMocks: true,
    unstubEnvs: true,
    globalSetup: part.onDatabase === true ? ['packages/server/test/global-setup.ts'] : [],
  },
})
