import { describe, expect, it, vi } from 'vitest'
import { testApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { deskOn, settingsOn } from '../../../test/settings-desk.ts'
import { sql } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { readLegalText } from './legal.ts'

const DAY = 86_400

const insertPlayer = sql({
  name: 'legal-test.insert-player',
  text: `insert into players (username, email, created_at) values ('one', 'one@lottery.test', 0)`,
})

/** The parts of a text of one line. */
const saying = (line: string) => [{ kind: 'paragraph', words: [line] }]
const textOf = (markdown: string, date = '2026-12-01') => ({ date, markdown })

/** An installation that has a player, unless it is said to have none. */
async function lotteryWith({ players = 1 } = {}) {
  const [database, runtime] = [await testDatabase(), testRuntime()]
  if (players > 0) await database.db.execute(insertPlayer, [])
  const live = await settingsOn(database, runtime)
  const startAt = runtime.clock.now()
  const legal = { db: database.db, runtime, read: new Map() }
  const read = (version?: string) => readLegalText(legal, 'terms', version)
  return {
    desk: deskOn(database, runtime),
    live,
    startAt,
    read,
    pass: (seconds: number) => runtime.clock.setOffsetSeconds(runtime.clock.offsetSeconds() + seconds),
    /** the versions of the terms with their times, in days since the start */
    versions: async () =>
      (await read()).versions.map(({ version, status, from_at, until_at }) => [
        version,
        status,
        ...[from_at, until_at].map((at) => (at === null ? null : (at - startAt) / DAY)),
      ]),
  }
}

describe('legal texts', () => {
  it('a new text is announced for 7 days in every process, then in force, and the old ones stay readable', async () => {
    const { desk, live, startAt, read, pass, versions } = await lotteryWith()
    expect(await read()).toMatchObject({ version: 0, status: 'in_force', blocks: null })
    expect(await desk.plan({ 'legal.terms': textOf('First.') })).toContain('in force 7 days after the plan was applied')
    expect(await desk.apply({ 'legal.terms': textOf('First.') })).toMatch(/^legal\.terms is in force from \S+ /)
    const announced = [{ name: 'terms', version: 1, fromAt: startAt + 7 * DAY }]
    await vi.waitFor(() => expect(live.comingTexts()).toEqual(announced))
    expect(await read()).toMatchObject({ version: 0, blocks: null })
    expect(await read('1')).toMatchObject({ status: 'coming', date: '2026-12-01', blocks: saying('First.') })

    pass(7 * DAY - 1)
    expect(live.comingTexts()).toEqual(announced)
    pass(1)
    expect(live.comingTexts()).toEqual([])
    expect(await read()).toMatchObject({ version: 1, status: 'in_force', blocks: saying('First.') })
    await desk.apply({ 'legal.terms': textOf('Second.') }, { from: startAt + 30 * DAY })
    expect(await versions()).toEqual([
      [2, 'coming', 30, null],
      [1, 'in_force', 7, 30],
      [0, 'earlier', null, 7],
    ])
    expect(await read('0')).toMatchObject({ status: 'earlier', blocks: null })
    for (const unknown of ['3', '-1', '01', 'x', '']) await expect(read(unknown)).rejects.toThrow('no such version')
  })

  it('a text that replaces one to come withdraws it, and the text in force withdraws it without another', async () => {
    const { desk, live, read, pass, versions } = await lotteryWith()
    await desk.apply({ 'legal.terms': textOf('First.') })
    pass(7 * DAY)
    await desk.apply({ 'legal.terms': textOf('Typo.') })
    pass(DAY)
    await desk.apply({ 'legal.terms': textOf('Second.') })
    expect(await versions()).toEqual([
      [4, 'coming', 15, null],
      [1, 'in_force', 7, 15],
      [0, 'earlier', null, 7],
    ])
    expect(await read('2')).toMatchObject({ status: 'withdrawn', blocks: saying('Typo.') })
    expect(await desk.apply({ 'legal.terms': textOf('First.') })).toContain('legal.terms stays as it is in force')
    await vi.waitFor(() => expect(live.comingTexts()).toEqual([]))
    pass(30 * DAY)
    expect(await read()).toMatchObject({ version: 1, blocks: saying('First.') })
    // Back to the product's own, which is announced as any other.
    await desk.apply({ 'legal.terms': null })
    await vi.waitFor(() => expect(live.comingTexts()).toMatchObject([{ version: 6 }]))
    expect(await read('6')).toMatchObject({ status: 'coming', date: null, blocks: null })
  })

  it('before anyone has an account a text is in force at once, and the product’s own is not listed', async () => {
    const { desk, live, versions } = await lotteryWith({ players: 0 })
    await desk.apply({ 'legal.terms': textOf('First.') })
    expect(live.comingTexts()).toEqual([])
    expect(await versions()).toEqual([[1, 'in_force', 0, null]])
  })

  it('every fault of a text is named with its line; production also refuses what is left to fill in', async () => {
    const markdown = [
      'Run by [company], see [our page](https://lottery.test) and \\[1\\].',
      'TODO: <b>ask</b> {{lawyer}}, or write to us@lottery.example',
      '',
      'Lorem ipsum of www.example.com, for example.',
    ].join('\n')
    const refused = async (mode: 'demo' | 'production') => {
      const desk = deskOn(await testDatabase(), testRuntime(), { mode })
      const message = String(
        await desk.plan({ 'legal.privacy': textOf(markdown, '2026-02-30') }).catch((e: unknown) => e),
      )
      return message.replace(/^\w+: /, '').split('\n')
    }
    const html = (tag: string) =>
      `legal.privacy.markdown: line 2: leave out "${tag}": HTML is not shown; write \\< for the sign itself`
    const fill = (line: number, found: string) =>
      `legal.privacy.markdown: line ${line}: replace "${found}", which stands for something of your own`
    const date = 'legal.privacy.date: set the date of the text, like 2026-12-01'
    expect(await refused('demo')).toEqual([date, html('<b>'), html('</b>')])
    expect(await refused('production')).toEqual([
      date,
      fill(1, '[company]'),
      html('<b>'),
      html('</b>'),
      fill(2, '{{lawyer}}'),
      fill(2, 'TODO'),
      fill(2, 'lottery.example'),
      fill(4, 'Lorem ipsum'),
      fill(4, 'example.com'),
    ])
  })

  it('the running product answers with the text in force, and the export gives it back', async () => {
    const { db, runtime, call } = await testApplication()
    const desk = deskOn({ db }, runtime)
    await desk.apply({ 'legal.cookies': textOf('# Cookies\n\nNone.') })
    expect((await call('GET', '/legal/cookies')).body).toMatchObject({
      version: 1,
      blocks: [
        { kind: 'heading', level: 1, id: 'text-cookies', title: 'Cookies', words: ['Cookies'] },
        ...saying('None.'),
      ],
    })
    for (const path of ['/legal/imprint', '/legal/cookies?version=7'])
      expect((await call('GET', path)).status).toBe(404)
    const { settings } = await desk.exported()
    expect(settings).toMatchObject({ 'legal.terms': null, 'legal.cookies': textOf('# Cookies\n\nNone.') })
    expect(await desk.plan(settings)).toBe('Nothing changes.')
  })
})
