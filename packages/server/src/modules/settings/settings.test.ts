import { describe, expect, it, vi } from 'vitest'
import { testApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { deskOn, planIdOf, settingsOn } from '../../../test/settings-desk.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'
import { EXAMPLE_CONTENT } from '../content/operator-content.ts'
import type { DeskSettings } from './service.ts'

const HOURS = 3600
const WELLS = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080'
const OTHER = 'bcrt1qz390yjx4f9s07ztuvyx89rtg8k76xsnsllsw9d'
const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1').toString('base64')

const partnerAt = (address: string | null) => ({ id: 'wells', name: 'Wells', url: 'https://wells.test/', address })

const listActions = sql({
  name: 'settings-test.list-actions',
  text: `select action, detail from operator_actions order by id`,
  row: { action: t.text, detail: t.text },
})
const listJobs = sql({
  name: 'settings-test.list-jobs',
  text: `select run_at from jobs where kind = 'payouts.partners' order by run_at`,
  row: { runAt: t.epochSeconds },
})
const rename = sql({ name: 'settings-test.rename', text: `update settings set value = '"Other"'` })
const forget = sql({ name: 'settings-test.forget', text: `delete from settings` })

describe('settings', () => {
  it('two processes use a new value without a restart, at the moment that its version names', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const processes = [await settingsOn(database, runtime), await settingsOn(database, runtime)]
    const names = () => processes.map((one) => one.site().name)
    expect(names()).toEqual(['Fairball', 'Fairball'])
    const desk = deskOn(database, runtime)
    await desk.apply({ 'site.name': 'Lucky & Sons' })
    await vi.waitFor(() => expect(names()).toEqual(['Lucky & Sons', 'Lucky & Sons']))

    await desk.apply({ 'site.name': 'Later' }, { from: runtime.clock.now() + HOURS })
    await desk.apply({ support_email: null })
    await vi.waitFor(() => expect(processes.map((one) => one.site().supportEmail)).toEqual([null, null]))
    expect(names()).toEqual(['Lucky & Sons', 'Lucky & Sons'])
    runtime.clock.setOffsetSeconds(runtime.clock.offsetSeconds() + HOURS)
    expect(names()).toEqual(['Later', 'Later'])
  })

  it('a version is never changed or removed, and the audit log says who applied it and why', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    await deskOn(database, runtime).apply({ 'site.name': 'Lucky' })
    await expect(database.db.execute(rename, [])).rejects.toThrow()
    await expect(database.db.execute(forget, [])).rejects.toThrow()
    const detail = expect.stringMatching(/^Applied from .*: site\.name\. a test$/) as string
    expect(await database.db.run(listActions, [])).toEqual([{ action: 'settings-apply', detail }])
  })

  it('what is exported changes nothing, and a picture comes back as it was given', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const desk = deskOn(database, runtime, { content: EXAMPLE_CONTENT })
    expect(await desk.plan((await desk.exported()).settings)).toBe('Nothing changes.')
    const causes = [{ id: 'wells', title: 'Wells', description: 'Water.', image: PNG, link: 'https://wells.test/' }]
    await desk.apply({ causes })
    expect((await desk.exported()).settings).toMatchObject({ causes })
    expect(await desk.plan({ causes })).toBe('Nothing changes.')
  })

  it("a partner's new address counts after 48 hours; until then the address in force does", async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const live = await settingsOn(database, runtime)
    const paidAt = () => live.site().content.partners.map(({ address }) => address)
    const pass = (seconds: number) => runtime.clock.setOffsetSeconds(runtime.clock.offsetSeconds() + seconds)
    const desk = deskOn(database, runtime)
    const startAt = runtime.clock.now()
    expect(await desk.plan({ partners: [partnerAt(WELLS)] })).toContain(
      'the new address of wells counts 48 hours later',
    )
    await desk.apply({ partners: [partnerAt(WELLS)] })
    await vi.waitFor(() => expect(paidAt()).toEqual([null]))
    pass(48 * HOURS - 1)
    expect(paidAt()).toEqual([null])
    pass(1)
    expect(paidAt()).toEqual([WELLS])
    // Then what it is owed is paid, without another win.
    expect((await database.db.run(listJobs, [])).map(({ runAt }) => runAt)).toEqual([startAt, startAt + 48 * HOURS])

    await desk.apply({ partners: [partnerAt(OTHER)] })
    await desk.apply({ partners: [{ ...partnerAt(OTHER), name: 'Renamed' }] })
    await vi.waitFor(() => expect(live.site().content.partners[0]?.name).toBe('Renamed'))
    expect(paidAt()).toEqual([WELLS])
    pass(48 * HOURS)
    expect(paidAt()).toEqual([OTHER])
    await desk.apply({ partners: [partnerAt(null)] })
    await vi.waitFor(() => expect(paidAt()).toEqual([null]))
  })

  it('a plan is applied once, within 24 hours, with a reason, and only while nothing else has changed', async () => {
    const [database, runtime] = [await testDatabase(), testRuntime()]
    const desk = deskOn(database, runtime)
    const planned = async () => planIdOf(await desk.plan({ 'site.name': 'Lucky' }))
    const [first, second] = [await planned(), await planned()]
    await expect(desk.applyPlan('nonsense')).rejects.toThrow("'nonsense' is not the id of a plan.")
    await expect(desk.applyPlan('00000000-0000-4000-8000-000000000000')).rejects.toThrow('There is no plan')
    await expect(desk.applyPlan(first, ' ')).rejects.toThrow('Say why: --reason <text>.')
    await desk.applyPlan(first)
    await expect(desk.applyPlan(first)).rejects.toThrow('was applied already')
    await expect(desk.applyPlan(second)).rejects.toThrow('A setting was changed after plan')
    const third = planIdOf(await desk.plan({ 'site.name': 'Luckier' }))
    runtime.clock.setOffsetSeconds(runtime.clock.offsetSeconds() + 24 * HOURS)
    await expect(desk.applyPlan(third)).rejects.toThrow('expired at')
  })

  it.each<[string, unknown, string[], Partial<DeskSettings>?]>([
    ['half of a file', '{"format":', ['it is not JSON']],
    [
      'several faults at once',
      {
        'site.name': 'x'.repeat(41),
        support_email: 'help',
        partners: [partnerAt('x')],
        feedback_form_url: 'http://a.b',
      },
      [
        'site.name: set a text of 1 to 40 characters, without line ends',
        'support_email: set an email address, like office@lottery.example',
        'partners[0].address: set a bitcoin address of regtest, or null',
        'feedback_form_url: set an https address, like https://charity.example/about',
      ],
    ],
    ['an empty name', { 'site.name': ' ' }, ['site.name: set a text of 1 to 40 characters']],
    ['an unknown name', { 'site.nmae': 'x' }, ['leave out "site.nmae", which means nothing here']],
    [
      'an operator without a name',
      { operator: { name: ' ', licence: 'Licensed.', address: ['1 Street'], email: 'us@lottery.test' } },
      ['operator.name: set a text of 1 to 120 characters'],
    ],
    [
      'an unknown network',
      { social: [{ network: 'myspace', url: 'https://a.test' }] },
      ['social[0].network: set one of'],
    ],
    [
      'an address given twice',
      { partners: [partnerAt(WELLS), { ...partnerAt(WELLS), id: 'b' }] },
      ['partners[1].address: set another address'],
    ],
    [
      'a picture of another kind',
      { causes: [{ id: 'a', title: 'A', description: 'A', image: 'PHN2Zz4=', link: 'https://a.test' }] },
      ['causes[0].image: set base64 of a JPEG, PNG or WebP picture'],
    ],
    [
      'a placeholder in production',
      { partners: [{ ...partnerAt(null), id: 'a-charity' }] },
      ["partners[0].id: set your own, this is the example's"],
      { mode: 'production' },
    ],
    [
      'what CONTENT_FILE gives',
      { social: [] },
      ['social: leave it out and change CONTENT_FILE=content.json, which wins over settings'],
      { contentFile: 'content.json' },
    ],
  ])('a file with %s is refused, each fault with its place', async (_what, settings, problems, changed = {}) => {
    const desk = deskOn(await testDatabase(), testRuntime(), changed)
    const refused = await desk.plan(settings).catch((error: unknown) => String(error))
    for (const problem of problems) expect(refused).toContain(problem)
    expect(refused.split('\n')).toHaveLength(problems.length)
  })

  it('a moment that is over, and another format, are refused', async () => {
    const desk = deskOn(await testDatabase(), testRuntime())
    await expect(desk.plan({}, { from: 1 })).rejects.toThrow('from: set a moment to come in epoch seconds')
    await expect(desk.plan({}, { format: 'x' })).rejects.toThrow('format: set "fairball-settings/1"')
  })

  it('the running product shows a new good cause, serves its picture and signs mails with its name', async () => {
    const { application, db, runtime, call, signUp } = await testApplication()
    const causes = [{ id: 'wells', title: 'Wells', description: 'Water.', image: PNG, link: 'https://wells.test/' }]
    await deskOn({ db }, runtime, { content: EXAMPLE_CONTENT }).apply({ 'site.name': 'Lucky <b>', causes })
    const shown = await vi.waitFor(async () => {
      const { body } = await call('GET', '/causes')
      expect(body).toMatchObject([{ title: 'Wells' }])
      return body as { image: string }[]
    })
    const picture = await application.http.inject({ url: shown[0]?.image ?? '' })
    expect(picture.rawPayload.toString('base64')).toBe(PNG)
    await signUp({ isVerified: false })
    const mails = (await call('GET', '/dev/mail')).body as { subject: string; text: string; html: string }[]
    const mail = mails.find(({ subject }) => subject === 'Please verify your email address')
    expect(mail?.text).toContain('Thank you for playing at Lucky <b>.')
    expect(mail?.html).toContain('Lucky &lt;b&gt;')
  })
})
