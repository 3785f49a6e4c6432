import { join } from 'node:path'
import { defineConfig } from 'vitest/config'
import { BaseSequencer, type TestSpecification } from 'vitest/node'
import { PARTS } from './parts.mjs'

const part = PARTS[process.env['MUTATION_PART'] ?? '']
if (part === undefined) throw new Error('MUTATION_PART must name a part of trials/mutation/parts.mjs')

/** The first failing test ends a mutant's run, and the quick tests of the mutated file find most mutants. */
class QuickFirst extends BaseSequencer {
  override sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const isSlow = ({ moduleId }: TestSpecification): number =>
      /\/(?:collect|evidence|honest|judged|remote)/.test(moduleId) ? 1 : 0
    return Promise.resolve(files.toSorted((one, other) => isSlow(one) - isSlow(other)))
  }
}

export default defineConfig({
  resolve: {
    alias: ['bls12-381', 'ed25519'].map((curve) => ({
      find: new RegExp(`^@noble/curves/${curve}\\.js$`),
      replacement: join(import.meta.dirname, `kept-${curve}.ts`),
    })),
  },
  test: {
    environment: 'node',
    include: part.tests,
    exclude: part.slow ?? [],
    env: { FAIRNESS_NOTES: '50' },
    sequence: { sequencer: QuickFirst },
    isolate: false, // one thread for all files of a mutant: no test replaces a module
    restoreMocks: true,
    unstubEnvs: true,
    globalSetup: part.onDatabase === true ? ['packages/server/test/global-setup.ts'] : [],
  },
})
