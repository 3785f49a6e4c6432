import { globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { measuresOf } from './shape.mjs'
import { breachesIn } from './structure.mjs'

const ROOT = join(import.meta.dirname, '..')

/** The breaches of one planted source. */
function breachesOf(file, text) {
  const root = mkdtempSync(join(tmpdir(), 'fairball-structure-'))
  onTestFinished(() => rmSync(root, { recursive: true }))
  mkdirSync(dirname(join(root, file)), { recursive: true })
  writeFileSync(join(root, file), text)
  return breachesIn(root)
}

describe('the shape of the server', () => {
  it.each(measuresOf(ROOT).map((measure) => [measure.name, measure]))(
    'the server keeps to its measure: %s',
    (_name, measure) => {
      const { found, most, remedy } = measure
      expect(found.length, `${remedy} Found: ${found.join(', ')}`).toBeLessThanOrEqual(most)
    },
  )
})

describe('the structure', () => {
  it('this repository has no breach of the structure', () => {
    expect(breachesIn(ROOT)).toEqual([])
  })

  it.each([
    ['packages/domain/src/price.ts', `import { z } from 'zod'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import { readFile } from 'node:fs/promises'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import type { Call } from '@fairball/contract/calls'`, 'The domain is pure'],
    ['packages/domain/src/price.ts', `import { x } from '../../server/src/x.ts'`, 'Import another package by its name'],
    ['packages/server/src/modules/orders/making.ts', `const hero = 'bitcoin-hero'`, 'names a game of the seeds'],
    ['packages/domain/src/jackpot.ts', `const fee = (stake * 15n) / 100n\nconst gift = 5n / 100n`, 'names a game'],
    ['packages/server/src/modules/games/service.ts', `import { GAMES } from '@fairball/domain/seeds'`, 'names a game'],
    ['packages/contract/src/calls.ts', `import fastify from 'fastify'`, 'The contract knows the domain and zod only'],
    ['packages/contract/src/calls.ts', `export { x } from '@fairball/server/x'`, 'Nobody imports server'],
    ['packages/server/src/main/app.ts', `const page = await import('@fairball/web/entry')`, 'Nobody imports web'],
    ['packages/web/src/shared/api.ts', `import '@fairball/server/app'`, 'Nobody imports server'],
    ['packages/web/src/shared/api.ts', `import { readFileSync } from 'node:fs'`, 'runs in a browser'],
    ['packages/ui/src/ball.tsx', `import { readFileSync } from 'node:fs'`, 'runs in a browser'],
    ['packages/verifier/src/cli.ts', `import yargs from 'yargs'`, 'A stranger reads this whole program'],
    [
      'packages/witness/src/main.ts',
      `import { calls } from '@fairball/contract/calls'`,
      'A stranger reads this whole program',
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
    ['packages/server/src/main/app.ts', `import { q } from '../modules/orders/queries.ts'`, 'the service of orders'],
    ['packages/server/src/http/app.ts', `import { r } from '../modules/orders/routes.ts'`, 'the service of orders'],
    [
      'packages/server/src/modules/orders/service.ts',
      `import { bearerOf } from '../../http/auth-hook.ts'`,
      'Only routes know HTTP',
    ],
    [
      'packages/server/src/kernel/limits.ts',
      `import { x } from '../modules/orders/service.ts'`,
      'src/kernel knows only',
    ],
    ['packages/server/src/ports/mail/mailer.ts', `import { x } from '../../modules/mail.ts'`, 'src/ports knows only'],
    [
      'packages/server/src/modules/orders/service.ts',
      `import { x } from '../../main/app.ts'`,
      'src/modules knows only',
    ],
    [
      'packages/web/src/features/play/play-screen.tsx',
      `import { Card } from '../results/components/card.tsx'`,
      'Features never import each other',
    ],
    [
      'packages/ui/src/ball.tsx',
      `import { usePlays } from '../../web/src/features/results/use-plays.ts'`,
      'The design system knows nothing',
    ],
    ['packages/ui/src/ball.tsx', `import { paths } from '@fairball/web/shared/paths'`, 'Nobody imports web'],
    ['packages/web/src/shared/paths.ts', `import { x } from '../proof/prove.ts'`, 'lies under every feature'],
    [
      'packages/web/src/proof/prove.ts',
      `import { x } from '../features/play/use-play.ts'`,
      'src/proof knows src/shared',
    ],
    ['packages/web/src/features/play/use-play.ts', `import { x } from '../../app/router.tsx'`, 'src/app is the roof'],
    [
      'packages/web/src/shared/later.ts',
      `const x = await import('../features/play/play-screen.tsx')`,
      'lies under every feature',
    ],
    ['packages/web/src/features/play/x.ts', `export { y } from '../../entry-server.tsx'`, 'Nothing imports an entry'],
    ['packages/web/src/features/play/x.ts', `import { y } from '../../helpers/y.ts'`, 'src/app is the roof'],
    ['packages/web/src/helpers/y.ts', `export * from '../features/results/z.ts'`, 'has no place in the order'],
    ['packages/web/src/features/play/x.ts', `import { y } from '../../testing/render.tsx'`, 'src/testing is for tests'],
    ['packages/web/src/shared/x.ts', `import { y } from '../offline/leave.ts'`, 'lies under every feature'],
    ['packages/web/src/offline/x.ts', `import { y } from '../app/router.tsx'`, 'apart from the pages'],
    ['packages/web/src/server/x.ts', `import { y } from '../features/play/y.ts'`, 'knows the table of pages'],
    ['packages/ui/src/ball.tsx', `import type { Game } from '@fairball/domain/games'`, 'design system knows nothing'],
    ['packages/ui/src/ball.test.tsx', `import { GAMES } from '@fairball/domain/x'`, 'design system knows nothing'],
    ['packages/ui/src/ball.tsx', `import { calls } from '@fairball/contract/calls'`, 'design system knows nothing'],
    ['packages/web/src/features/play/x.tsx', `import { find } from '@fairball/ui/testing/render.tsx'`, 'is for tests'],
    ['packages/domain/src/x.ts', `import { find } from '@fairball/ui/ball.tsx'`, 'The domain is pure'],
    ['packages/web/src/shared/x.ts', `import { x } from '@fairball/console/shared/x'`, 'Nobody imports console'],
    ['packages/console/src/shared/x.ts', `import { x } from '@fairball/web/shared/x'`, 'Nobody imports web'],
    ['packages/console/src/shared/x.ts', `import { x } from '../features/inbox/x.ts'`, 'lies under every feature'],
    ['packages/console/src/features/audit/x.ts', `import { y } from '../inbox/y.ts'`, 'Features never import each'],
    ['packages/console/src/features/audit/x.ts', `import { y } from '../../app/app.tsx'`, 'src/app is the roof'],
  ])('%s may not do: %s', (file, text, remedy) => {
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
    [
      'packages/contract/src/calls.ts',
      `import { z } from 'zod/mini'\nimport { CURRENCIES } from '@fairball/domain/fiat'`,
    ],
    ['packages/server/src/modules/orders/service.ts', `import type { Ledger } from '../ledger/service.ts'`],
    ['packages/server/src/modules/orders/service.ts', `import * as queries from './queries.ts'`],
    ['packages/server/src/modules/orders/service.ts', `import { Unreachable } from '../../kernel/errors.ts'`],
    ['packages/server/src/modules/orders/order-routes.ts', `import { route } from '../../http/route.ts'`],
    ['packages/server/src/main/app.ts', `import { ordersRoutes } from '../modules/orders/routes.ts'`],
    [
      'packages/verifier/src/cli.ts',
      `import { readFileSync } from 'node:fs'\nimport { verifyBundle } from '@fairball/domain/protocol/verify'`,
    ],
    ['packages/web/src/app/routes/play.tsx', `import { PlayScreen } from '../../features/play/play-screen.tsx'`],
    ['packages/web/src/features/play/play-screen.tsx', `import { Ball } from '@fairball/ui/ball.tsx'`],
    ['packages/web/src/features/play/play.test.tsx', `import { render } from '@fairball/ui/testing/render.tsx'`],
    ['packages/web/src/testing/tab.tsx', `import { render } from '@fairball/ui/testing/render.tsx'`],
    ['packages/ui/src/ball.test.tsx', `import { render } from './testing/render.tsx'`],
    ['packages/console/src/app/pages.tsx', `import { X } from '../features/inbox/x.tsx'`],
    ['packages/web/src/entry-server.tsx', `import { createAppRouter } from './app/router.tsx'`],
    ['packages/web/src/server/missing-page.ts', `import { routeTree } from '../app/routes/route-tree.ts'`],
  ])('%s may do: %s', (file, text) => {
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
    "const key = hkdfSync('sha256', secretKey, '', 'my use', 32)",
  ])('only the runtime may do: %s', (text) => {
    const [breach] = breachesOf('packages/server/src/modules/orders/service.ts', text)
    expect(breach).toContain(`which only the runtime's files may`)
    for (const file of ['packages/server/src/runtime/x.ts', 'packages/domain/src/x.test.ts'])
      expect(breachesOf(file, text), file).toEqual([])
  })

  it('the runtime of the console is one file', () => {
    expect(breachesOf('packages/console/src/shared/runtime.ts', 'export const nowMs = () => Date.now()')).toEqual([])
    expect(breachesOf('packages/console/src/shared/api.ts', 'export const nowMs = () => Date.now()')).toHaveLength(1)
  })

  it('the runtime of the web is one file', () => {
    expect(breachesOf('packages/web/src/shared/runtime.ts', 'export const nowMs = () => Date.now()')).toEqual([])
    expect(breachesOf('packages/web/src/shared/clock.ts', 'export const nowMs = () => Date.now()')).toHaveLength(1)
  })

  it.each([
    'const day = new Date(startAt * 1000).getUTCDay()',
    'const { fetch } = options',
    'const answer = await runtime.fetch(url)',
    'await clock.sleep(5) // not setTimeout(…)',
    `log.info('Date.now() is not for us')`,
    '/** Never Math.random(): it can be guessed. */',
  ])('this is no use of a reserved global: %s', (text) => {
    expect(breachesOf('packages/server/src/modules/orders/service.ts', text)).toEqual([])
  })
})

describe('a hash without a counter', () => {
  it.each([
    `import { hash } from '@node-rs/argon2'`,
    `const { verifySync } = await import('@node-rs/argon2')`,
    `import { hashInThread } from './password-threads.ts'`,
    `const counted = { subject: '11.0.0.1' } as Counted`,
    `const counted = {} as unknown as Counted`,
  ])('a hash without a counter is refused: %s', (text) => {
    const breaches = breachesOf('packages/server/src/modules/identity/login.ts', text)
    expect(breaches).toHaveLength(1)
    expect(breaches[0]).toContain('rateLimits.take')
  })

  it('hashing a password requires the result of a counter', () => {
    const passwords = readFileSync(join(ROOT, 'packages/server/src/modules/identity/passwords.ts'), 'utf8')
    const asked = [...passwords.matchAll(/turns\.take\(callerOf\(counted\)/g)]
    expect([...passwords.matchAll(/turns\.take\(/g)]).toHaveLength(asked.length)
    expect([...passwords.matchAll(/counted: Counted,/g)]).toHaveLength(asked.length)
  })
})

describe('a mail about an account', () => {
  const text = `await mail.enqueue(tx, { to, category: 'account', subject })`

  it('only one place writes account mails, which limits the number per address', () => {
    expect(breachesOf('packages/server/src/modules/identity/account-mail.ts', text)).toEqual([])
    const breaches = breachesOf('packages/server/src/modules/orders/service.ts', text)
    expect(breaches).toEqual([expect.stringContaining('identity/account-mail.ts')])
  })
})

describe('a moment on a page', () => {
  it.each(['const offset = useSession().profile.timezone_utc_offset', 'const offset = -60 * date.getTimezoneOffset()'])(
    'a page may not use the current offset: %s',
    (text) => {
      const breaches = breachesOf('packages/web/src/features/watch/countdown.tsx', text)
      expect(breaches).toEqual([expect.stringContaining('useUtcOffset()')])
    },
  )
})

describe('a component', () => {
  it.each(['packages/web/src/features/draws/x.tsx', 'packages/web/src/features/draws/use-x.ts'])(
    'a component may not have a bigint literal, which its compiler loses: %s',
    (file) => {
      expect(breachesOf(file, 'if (sats === 0n) return null')).toHaveLength(1)
      expect(breachesOf(file, 'const text = "10n" // 0n')).toEqual([])
    },
  )

  it('a component may have its bigints in a separate file', () => {
    expect(breachesOf('packages/web/src/features/draws/parts.ts', 'export const NOTHING = 0n')).toEqual([])
  })
})

describe('a page', () => {
  const web = join(ROOT, 'packages/web/src')
  const sources = globSync('**/*.{ts,tsx,css}', { cwd: web })
    .filter((file) => !/\.test\.tsx?$|^testing\//u.test(file))
    .map((file) => [file, readFileSync(join(web, file), 'utf8')])

  it.each([
    ['a key', /(['"`])(?:bitcoin-lotto|bitcoin-hero|treasure|ether-lotto|mega-ball|super-game)\1/u],
    ['a name', /Bitcoin Lotto|Bitcoin Hero|Ether Lotto|Mega Ball|Super Game/u],
    ['the rules', /\b(?:GAMES|gameByKey|SPLIT_PERCENT)\b.*from '@fairball/u],
  ])('no page has %s of a seeded game: they come from the API', (_what, pattern) => {
    const found = sources.filter(([, text]) => pattern.test(text))
    expect(found.map(([file]) => file)).toEqual([])
  })

  it('no text of a page has a share of the stakes: it comes from the list of games', () => {
    const found = sources.filter(
      ([file, text]) => file.endsWith('messages.ts') && /\b(?:80|15|5)(?:%| percent)/u.test(text),
    )
    expect(found.map(([file]) => file)).toEqual([])
  })
})
