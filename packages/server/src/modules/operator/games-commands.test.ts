import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { GAMES, STARTER } from '@fairball/domain/seeds'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { type TestLottery, testLottery } from '../../../test/lottery.ts'
import { deskOn } from '../../../test/settings-desk.ts'
import { readConfig } from '../../config/config.ts'
import { createSeal } from '../../runtime/seal.ts'
import type { OperatorCommand } from './command.ts'
import { gamesCommands } from './games-commands.ts'

const HERO = GAMES.filter(({ key }) => key === 'bitcoin-hero')

/** A games file as JSON that a test changes. */
interface FileJson {
  games: Record<string, unknown>[]
}
type RulesJson = Record<string, unknown>

/** An operator at the desk of a lottery with some games. */
async function desk(games = HERO) {
  const lottery = await testLottery({ games })
  const { db, runtime } = lottery
  const dataDir = mkdtempSync(join(tmpdir(), 'fairball-games-'))
  onTestFinished(() => rmSync(dataDir, { recursive: true }))
  const installation = {
    db,
    runtime,
    seal: createSeal(new Uint8Array(32).fill(7), runtime.random),
    config: { ...readConfig({}), dataDir },
  }
  const commands: Record<string, OperatorCommand> = gamesCommands
  const run = async (name: string, args: string[] = [], options: Record<string, string> = {}): Promise<string> => {
    const command = commands[name]
    if (command === undefined) throw new Error(`no command ${name}`)
    return await command.run(installation, args, options)
  }
  const file = join(dataDir, 'games.json')
  /** Plans the exported file with a change. @returns what the operator reads */
  const plan = async (change: (file: FileJson) => void): Promise<string> => {
    const json = JSON.parse(await run('games-export')) as FileJson
    change(json)
    writeFileSync(file, JSON.stringify(json))
    return await run('games-plan', [file])
  }
  const apply = (text: string, options: Record<string, string> = {}) =>
    run('games-apply', [idIn(text)], { reason: 'costs rose', ...options })
  return { ...lottery, lottery, run, plan, apply, file }
}

async function versionsOf({ rows }: Pick<TestLottery, 'rows'>) {
  return await rows(
    `select game_key, version, from_at::int, kinds, reason from game_versions order by game_key, version`,
  )
}

describe('the desk of the games', () => {
  it('a price is announced for the draws that are not open, and those sell at it', async () => {
    const { plan, apply, rows, moveTo, runtime, violations, lottery } = await desk()
    const text = await plan(raisePrice)
    const [last] = await rows<{ number: number; at: number }>(
      `select number, scheduled_at::int as at from draws order by number desc limit 1`,
    )
    const { number = 0, at = 0 } = last ?? {}
    expect(text).toContain(`Bitcoin Hero: from draw ${number + 1}, `)
    expect(text).toContain(`Draws 1 to ${number} are open and keep £1.00.`)
    expect(await apply(text)).toContain('Announced.')
    expect(await versionsOf(lottery)).toMatchObject([
      { version: 1, kinds: ['new'] },
      { version: 2, from_at: at + 1, kinds: ['price-up'], reason: 'costs rose' },
    ])
    await moveTo(runtime.clock.now() + 2 * 86_400)
    const prices = await rows<{ number: number; price: string; version: number }>(
      `select number, price_minor::text as price, version from draws order by number`,
    )
    expect(prices.length).toBeGreaterThan(number)
    for (const draw of prices)
      expect(draw).toMatchObject(draw.number > number ? { price: '150', version: 2 } : { price: '100', version: 1 })
    expect(await violations()).toEqual([])
    const actions = await rows(`select action, detail from operator_actions`)
    expect(actions).toMatchObject([{ action: 'games-apply', detail: expect.stringContaining('costs rose: ') }])
  })

  it('an installation without games opens its first lottery, in any currency that has a rate', async () => {
    const { run, file, rows, lottery, apply, violations } = await desk([])
    const template = await run('games-template', ['starter'])
    writeFileSync(file, template.replace('"currency": "GBP"', '"currency": "EUR"'))
    const text = await run('games-plan', [file])
    expect(text).toContain('Starter: from draw 1, 1 January 18:00 UTC.')
    await apply(text)
    await lottery.lottery.queue.runDue()
    const [first] = await rows(
      `select game_key, number, version, currency, price_minor::int from draws order by number`,
    )
    expect(first).toEqual({ game_key: 'starter', number: 1, version: 1, currency: 'EUR', price_minor: 100 })
    const [open] = await lottery.statementsOf('starter', 1)
    expect(open).toMatchObject({ type: 'open', rate: { currency: 'EUR', value: 870 } })
    const { key, name, accent, pattern, summary } = STARTER
    expect(await rows(`select key, name, accent, pattern, summary, position from games`)).toEqual([
      { key, name, accent, pattern, summary, position: 0 },
    ])
    expect(await violations()).toEqual([])
  })

  it('what is only shown, and the horizon, apply at once and without a statement', async () => {
    const { plan, apply, rows, lottery } = await desk()
    const before = (await lottery.log()).length
    const text = await plan((json) => {
      Object.assign(json.games[0] ?? {}, { name: 'Hero', pattern: 'ring', summary: 'Daily.' })
      rulesOf(json)['weeks_ahead'] = 1
    })
    expect(text).toContain('Hero: orders reach 1 week ahead at once, not 2 weeks.')
    expect(text).toContain('Hero: at once name, pattern, summary.')
    await apply(text)
    expect(await rows(`select name, pattern, summary, weeks_ahead from games`)).toEqual([
      { name: 'Hero', pattern: 'ring', summary: 'Daily.', weeks_ahead: 1 },
    ])
    expect((await lottery.log()).length).toBe(before)
    expect(await plan(() => undefined)).toBe('Nothing changes.')
  })

  it('the file of each template is what it exports once it is announced', async () => {
    const { run, file, apply } = await desk([])
    writeFileSync(file, await run('games-template', ['demo']))
    await apply(await run('games-plan', [file]))
    expect(await run('games-export')).toBe(await run('games-template', ['demo']))
  })

  it('a game that the file retires opens no further draw, and its file says where it retires into', async () => {
    const { plan, apply, run, rows, runtime, moveTo } = await desk([...HERO, STARTER])
    const text = await plan(({ games }) => Object.assign(games[1] ?? {}, { retire: { into: 'bitcoin-hero' } }))
    const [last] = await rows<{ number: number }>(`select max(number) as number from draws where game_key = 'starter'`)
    expect(text).toContain('Starter: retires into Bitcoin Hero from ')
    expect(text).toContain(`Draw ${last?.number} is its last.`)
    await apply(text)
    await moveTo(runtime.clock.now() + 86_400)
    expect(await rows(`select max(number) as number from draws where game_key = 'starter'`)).toEqual([last])
    expect(await rows(`select state, retires_into from games order by position`)).toEqual([
      { state: 'active', retires_into: null },
      { state: 'retiring', retires_into: 'bitcoin-hero' },
    ])
    const { games } = JSON.parse(await run('games-export')) as { games: { key: string; retire: unknown }[] }
    expect(games.map(({ key, retire }) => [key, retire])).toEqual([
      ['bitcoin-hero', null],
      ['starter', { into: 'bitcoin-hero' }],
    ])
    expect(await plan(() => undefined)).toBe('Nothing changes.')
  })

  it('partners and colours count as the settings in force say', async () => {
    const { plan, db, runtime } = await desk()
    const ending = ({ games }: FileJson) => void Object.assign(games[0] ?? {}, { retire: { into: 'partners' } })
    expect(await plan(ending)).toContain('Bitcoin Hero: retires into the partners')
    await deskOn({ db }, runtime, { content: readConfig({}).content }).apply({
      partners: [],
      'site.colors': { paper: '#FFFFFF', ink: '#35304B' },
    })
    await expect(plan(ending)).rejects.toThrow('games[0].retire.into: ')
    await expect(plan((json) => void Object.assign(json.games[0] ?? {}, { accent: '#F0668D' }))).rejects.toThrow(
      /^games\[0\]\.accent: With the site’s colours, ink #35304B on the accent #F0668D of Bitcoin Hero has 4\.\d:1/,
    )
  })

  it('every refusal says why, and announces nothing', async () => {
    const at = await desk()
    const { plan, apply, run, rows, runtime, lottery } = at
    const dearCover = (json: FileJson) => void (rulesOf(json)['cover_minor'] = 90_000_000_00)
    const first = await plan(raisePrice)
    const refusals: [refused: string, act: () => Promise<unknown>, says: RegExp][] = [
      [
        'a file with two problems',
        () =>
          plan((json) => {
            Object.assign(rulesOf(json), { price_minor: 0, most_entries: 0 })
          }),
        /^games\[0\]\.rules\.price_minor: .*\ngames\[0\]\.rules\.most_entries: /s,
      ],
      [
        'a retirement',
        () => plan((json) => Object.assign(json.games[0] ?? {}, { retire: { into: 'x2' } })),
        /retire\.into:/,
      ],
      [
        'a moment too early',
        () =>
          plan((json) => {
            raisePrice(json)
            Object.assign(json.games[0] ?? {}, { from: runtime.clock.now() })
          }),
        /^games\[0\]\.from: The earliest moment is \d+ \(.*Z\), with draw \d+\.$/,
      ],
      [
        'a currency that is worth too little for a draw',
        () => plan(addGameIn('JPY')),
        /^games\[1\]\.rules\.currency: 1 JPY is worth 5 satoshis, and a draw needs 100 or more\.$/,
      ],
      [
        'a currency that no two sources quote',
        async () => {
          await rows(`update currency_quotes set currency = 'XAU' where currency = 'EUR' and source like '%one%'`)
          return await plan(addGameIn('EUR'))
        },
        /^games\[1\]\.rules\.currency: No two sources of rates agree on a rate of EUR now\.$/,
      ],
      ['a file that is not there', () => run('games-plan', ['/nowhere/games.json']), /cannot be read/],
      ['another template', () => run('games-template', ['lotto']), /is no template/],
      ['a plan that is none', () => run('games-apply', ['1'], { reason: 'x' }), /^There is no plan 1\.$/],
      ['a plan without a reason', () => apply(first, { reason: ' ' }), /^The reason is one line/],
      [
        'a plan that takes a game off sale',
        async () => apply(await plan(dearCover)),
        /^The bankroll would not carry Bitcoin Hero any more, which sells now\./,
      ],
      [
        'a plan beside an old program',
        async () => {
          await rows(`set application_name = 'fairball'`)
          const applying = apply(first)
          await applying.catch(() => undefined)
          await rows(`set application_name = ''`)
          return await applying
        },
        /^A program of an older version is at this database \(sessions: 1\)/,
      ],
      [
        'a plan after 24 hours',
        () => {
          runtime.clock.set(runtime.clock.now() + 86_400)
          return apply(first)
        },
        /has expired/,
      ],
    ]
    for (const [refused, act, says] of refusals) await expect(act(), refused).rejects.toThrow(says)
    expect(await versionsOf(at)).toMatchObject([{ version: 1 }])
    expect((await lottery.log()).filter(({ statement }) => statement.type === 'game')).toHaveLength(1)
    expect(await rows(`select from operator_actions`)).toEqual([])
  })

  it('a new game is announced although a second passes meanwhile', async () => {
    const { run, plan, apply, runtime, lottery } = await desk()
    const [starter] = (JSON.parse(await run('games-template', ['starter'])) as FileJson).games
    const text = await plan((json) => void json.games.push(starter ?? {}))
    let at = runtime.clock.now()
    vi.spyOn(runtime.clock, 'now').mockImplementation(() => (at += 1))
    expect(await apply(text)).toContain('Announced.')
    expect(await versionsOf(lottery)).toMatchObject([{ game_key: 'bitcoin-hero' }, { game_key: 'starter', version: 1 }])
  })

  it('a plan is announced once, and not after another one', async () => {
    const { plan, apply } = await desk()
    const [price, limits] = [await plan(raisePrice), await plan((json) => void (rulesOf(json)['most_entries'] = 10))]
    await apply(price)
    await expect(apply(price)).rejects.toThrow('was announced already')
    await expect(apply(limits)).rejects.toThrow('The games changed since this plan was made')
  })

  it('a game goes off sale where the operator says so', async () => {
    const { plan, apply } = await desk()
    const text = await plan((json) => void (rulesOf(json)['cover_minor'] = 90_000_000_00))
    expect(text).toContain('Carried: none. Not carried: Bitcoin Hero.')
    expect(await apply(text, { 'stops-sales': 'yes' })).toContain('Announced.')
  })
})

function idIn(text: string): string {
  return /games-apply ([\da-f-]{36}) /.exec(text)?.[1] ?? ''
}

function rulesOf(file: FileJson): RulesJson {
  return file.games[0]?.['rules'] as RulesJson
}

function raisePrice(file: FileJson): void {
  rulesOf(file)['price_minor'] = 150
}

/** Adds a game like the first one, in another currency. */
function addGameIn(currency: string): (file: FileJson) => void {
  return (file) => void file.games.push({ ...file.games[0], key: 'other', rules: { ...rulesOf(file), currency } })
}
