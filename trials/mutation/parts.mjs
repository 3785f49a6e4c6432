/** The share of mutants that the tests of each part must find, in percent. */
export const LEAST_SCORE = 94

const DOMAIN = 'packages/domain/src'
const LEDGER = 'packages/server/src/modules/ledger'

/** What is mutated, and which tests must notice it. Defined only here; the types are in parts.d.mts. */
export const PARTS = {
  prizes: {
    mutate: [
      `${DOMAIN}/combinations.ts`,
      `${DOMAIN}/game-outlook.ts`,
      `${DOMAIN}/games.ts`,
      `${DOMAIN}/jackpot.ts`,
      `${DOMAIN}/lines.ts`,
      `${DOMAIN}/money.ts`,
      `${DOMAIN}/odds.ts`,
      `${DOMAIN}/price.ts`,
    ],
    tests: [`${DOMAIN}/*.test.ts`],
    copied: ['packages/domain'],
  },
  fairness: {
    mutate: [`${DOMAIN}/protocol/*.ts`],
    tests: [`${DOMAIN}/protocol/*.test.ts`],
    // Each of these generates hundreds or thousands of bundles or draws, and takes as long as all others together.
    slow: ['large-draw', 'large-tree', 'mutants', 'sampler-statistics'].map(
      (name) => `${DOMAIN}/protocol/${name}.test.ts`,
    ),
    copied: ['packages/domain', 'docs'],
  },
  ledger: {
    mutate: [`${LEDGER}/*.ts`],
    tests: [`${LEDGER}/*.test.ts`],
    copied: ['packages/server'],
    onDatabase: true,
  },
}
