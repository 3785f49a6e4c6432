/** The share of mutants, in percent, that the tests of each part have to find. */
export const LEAST_SCORE = 90

const DOMAIN = 'packages/domain/src'
const LEDGER = 'packages/server/src/modules/ledger'

/**
 * What is mutated, and which tests have to notice: the only place that says so.
 * @typedef {object} Part
 * @property {string[]} mutate files, relative to the repository
 * @property {string[]} tests files of tests; each mutant meets those that reach it
 * @property {string[]} [slow] those of them that are left out: what only they notice counts as survived
 * @property {string[]} copied what the tests need beside them
 * @property {boolean} [onDatabase] whether the tests run on a real PostgreSQL
 */

/** @type {Record<string, Part>} */
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
    // Each makes up bundles or draws by the hundred or the thousand, and takes as long as all others together.
    slow: ['large-draw', 'mutants', 'sampler-statistics'].map((name) => `${DOMAIN}/protocol/${name}.test.ts`),
    copied: ['packages/domain', 'docs'],
  },
  ledger: {
    mutate: [`${LEDGER}/*.ts`],
    tests: [`${LEDGER}/*.test.ts`],
    copied: ['packages/server'],
    onDatabase: true,
  },
}
