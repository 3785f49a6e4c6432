import { expect, it, vi } from 'vitest'
import { testApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { deskOn, idOf, processOn } from '../../../test/settings-desk.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'

const COLORS = { paper: '#EAF4EC', ink: '#06281C' }

const paintGame = sql({
  name: 'settings-test.paint-game',
  text: `update games set accent = $1 where key = 'treasure'`,
  params: [t.text],
})

it("a site's colours apply without a restart, and null brings the product's back", async () => {
  const [database, runtime] = [await testDatabase(), testRuntime()]
  const processes = [await processOn(database, runtime), await processOn(database, runtime)]
  const shown = () => processes.map((one) => one.site().colors)
  expect(shown()).toEqual([null, null])
  const desk = deskOn(database, runtime)
  await desk.apply({ 'site.colors': { paper: '#eaf4ec', ink: '#06281c' } })
  await vi.waitFor(() => expect(shown()).toEqual([COLORS, COLORS]))
  const { settings } = await desk.exported()
  expect(settings).toMatchObject({ 'site.colors': COLORS })
  expect(await desk.plan(settings)).toBe('Nothing changes.')
  await desk.apply({ 'site.colors': null }, { from: runtime.clock.now() + 60 })
  expect(shown()).toEqual([COLORS, COLORS])
  runtime.clock.setOffsetSeconds(runtime.clock.offsetSeconds() + 60)
  await vi.waitFor(() => expect(shown()).toEqual([null, null]))
})

it.each<[string, unknown, string[]]>([
  ['a word', 'green', ['site.colors: set an object with paper, ink']],
  ['only one', { paper: '#EAF4EC' }, ['site.colors.ink: set a colour as #RRGGBB, like #FBF7EF']],
  [
    'what could end a rule of a style',
    { paper: '#EAF4EC}', ink: 'red' },
    ['site.colors.paper: set a colour as #RRGGBB', 'site.colors.ink: set a colour as #RRGGBB'],
  ],
  [
    'too pale an ink',
    { paper: '#FBF7EF', ink: '#6F6785' },
    ['site.colors: ink #6F6785 on paper #FBF7EF has 4.9:1 and needs 7:1'],
  ],
])('colours with %s are refused with their place', async (_what, colors, problems) => {
  const desk = deskOn(await testDatabase(), testRuntime())
  const refused = await desk.plan({ 'site.colors': colors }).catch((error: unknown) => String(error))
  for (const problem of problems) expect(refused).toContain(problem)
  expect(refused.split('\n')).toHaveLength(problems.length)
})

it('colours are refused with the accent of a game, also one that is newer than the plan', async () => {
  const { db, runtime } = await testApplication()
  const desk = deskOn({ db }, runtime)
  const problem = 'site.colors: ink #3A3550 on the accent #FF6F96 of Bitcoin Hero has 4.4:1 and needs 4.5:1'
  await expect(desk.plan({ 'site.colors': { paper: '#FFFFFF', ink: '#3A3550' } })).rejects.toThrow(problem)
  const id = idOf(await desk.plan({ 'site.colors': COLORS }))
  await db.execute(paintGame, ['#4B5563'])
  await expect(desk.applyPlan(id)).rejects.toThrow('site.colors: ink #06281C on the accent #4B5563 of Treasure has 2')
})
