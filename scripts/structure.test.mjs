import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { breachesIn } from './structure.mjs'

const ROOT = join(import.meta.dirname, '..')

/** What is found wrong with one planted source. */
function breachesOf(file, text) {
  const root = mkdtempSync(join(tmpdir(), 'fairball-structure-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  return breachesIn(root)
}

describe('the structure', () => {
  it('holds in this repository', () => {
    expect(breachesIn(ROOT)).toEqual([])
  })

  it.each([
    ['packages/domain/src/price.ts', `import { z } from 'zod'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import { readFile } from 'node:fs/promises'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import type { Call } from '@fairball/contract/calls'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import { x } from '../../server/src/x.ts'`, 'Import another package by its name'],
    ['packages/contract/src/calls.ts', `import fastify from 'fastify'`, 'The contract knows the domain and zod only'],
    ['packages/contract/src/calls.ts', `export { x } from '@fairball/server/x'`, 'Nobody imports server'],
    ['packages/server/src/app.ts', `const page = await import('@fairball/web/entry')`, 'Nobody imports web'],
    ['packages/web/src/app/api.ts', `import '@fairball/server/app'`, 'Nobody imports server'],
    ['packages/web/src/app/api.ts', `import { readFileSync } from 'node:fs'`, 'The web runs in a browser'],
    ['packages/verifier/src/cli.ts', `import yargs from 'yargs'`, 'A stranger reads this program whole'],
    [
      'packages/witness/src/main.ts',
      `import { calls } from '@fairball/contract/calls'`,
      'A stranger reads this program whole',
    ],
    [
      'packages/server/src/modules/orders/service.ts',
      `import * as queries from '../ledger/queries.ts'`,
      'add a function to the service of ledger',
    ],
    [
      'packages/server/src/modules/orders/routes.ts',
      `import {\n  a,\n  b,\n} from '../ledger/routes.ts'`,
      'add a function to the service of ledger',
    ],
    ['packages/server/src/modules/orders/service.ts', `import { j } from '../draws/jobs.ts'`, 'the service of draws'],
    ['packages/server/src/app.ts', `import { q } from './modules/orders/queries.ts'`, 'the service of orders'],
    ['packages/server/src/http/app.ts', `import { r } from '../modules/orders/routes.ts'`, 'the service of orders'],
    [
      'packages/web/src/features/play/play-screen.tsx',
      `import { Card } from '../results/components/card.tsx'`,
      'Features never import each other',
    ],
    [
      'packages/web/src/ui/ball.tsx',
      `import { usePlays } from '../features/results/use-plays.ts'`,
      'src/ui knows nothing',
    ],
    ['packages/web/src/ui/ball.tsx', `import { paths } from '../app/paths.ts'`, 'src/ui knows nothing'],
    ['packages/web/src/ui/ball.tsx', `import type { Game } from '@fairball/domain/games'`, 'src/ui knows nothing'],
    ['packages/web/src/ui/ball.tsx', `import { calls } from '@fairball/contract/calls'`, 'src/ui knows nothing'],
  ])('does not let %s do: %s', (file, text, remedy) => {
    const breaches = breachesOf(file, text)
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain(file)
    expect(breaches[0]).toContain(remedy)
  })

  it.each([
    [
      'packages/domain/src/tree.ts',
      `import { sha256 } from '@noble/hashes/sha2.js'\nimport { hex } from '@scure/base'`,
    ],
    ['packages/domain/src/price.test.ts', `import fc from 'fast-check'\nimport { readFileSync } from 'node:fs'`],
    ['packages/contract/src/calls.ts', `import { z } from 'zod/mini'\nimport { GAMES } from '@fairball/domain/games'`],
    ['packages/server/src/modules/orders/service.ts', `import type { Ledger } from '../ledger/service.ts'`],
    ['packages/server/src/modules/orders/service.ts', `import * as queries from './queries.ts'`],
    ['packages/server/src/app.ts', `import { ordersRoutes } from './modules/orders/routes.ts'`],
    [
      'packages/verifier/src/cli.ts',
      `import { readFileSync } from 'node:fs'\nimport { verifyBundle } from '@fairball/domain/fairness/verify'`,
    ],
    ['packages/web/src/app/routes/play.tsx', `import { PlayScreen } from '../../features/play/play-screen.tsx'`],
    ['packages/web/src/features/play/play-screen.tsx', `import { Ball } from '../../ui/ball.tsx'`],
  ])('lets %s do: %s', (file, text) => {
    expect(breachesOf(file, text)).toEqual([])
  })
})

describe('the runtime', () => {
  it.each([
    'const at = Date.now()',
    'const at = new Date()',
    'const at = new Date( ).getTime()',
    'const at = Date()',
    'const x = Math.random()',
    'setTimeout(go, 5)',
    'const id = setInterval(go, 5)',
    'globalThis.setTimeout(go, 5)',
    'window.fetch(url)',
    'const id = crypto.randomUUID()',
    'crypto.getRandomValues(bytes)',
    `import { createHash, randomBytes } from 'node:crypto'`,
    'const ms = performance.now()',
  ])('alone may do: %s', (text) => {
    const [breach] = breachesOf('packages/server/src/modules/orders/service.ts', text)
    expect(breach).toContain(`which only the runtime's files may`)
    for (const file of ['packages/server/src/runtime/x.ts', 'packages/domain/src/x.test.ts'])
      expect(breachesOf(file, text), file).toEqual([])
  })

  it('of the web is one file', () => {
    expect(breachesOf('packages/web/src/app/runtime.ts', 'export const nowMs = () => Date.now()')).toEqual([])
    expect(breachesOf('packages/web/src/app/clock.ts', 'export const nowMs = () => Date.now()')).toHaveLength(1)
  })

  it.each([
    'const day = new Date(startAt * 1000).getUTCDay()',
    'const { fetch } = options',
    'const answer = await runtime.fetch(url)',
    'await clock.sleep(5) // not setTimeout(…)',
    `log.info('Date.now() is not for us')`,
    '/** Never Math.random(): it can be guessed. */',
  ])('is not asked for by: %s', (text) => {
    expect(breachesOf('packages/server/src/modules/orders/service.ts', text)).toEqual([])
  })
})

describe('a component', () => {
  it.each(['packages/web/src/features/draws/x.tsx', 'packages/web/src/features/draws/use-x.ts'])(
    'has no bigint literal, which its compiler loses: %s',
    (file) => {
      expect(breachesOf(file, 'if (sats === 0n) return null')).toHaveLength(1)
      expect(breachesOf(file, 'const text = "10n" // 0n')).toEqual([])
    },
  )

  it('may have its bigints in a file of their own', () => {
    expect(breachesOf('packages/web/src/features/draws/parts.ts', 'export const NOTHING = 0n')).toEqual([])
  })
})
