import { createHash } from 'node:crypto'
import { expect, it, vi } from 'vitest'
import { testApplication } from '../../../test/application.ts'
import { testDatabase } from '../../../test/database.ts'
import { deskOn, planIdOf, settingsOn } from '../../../test/settings-desk.ts'
import { sql, t } from '../../db/sql.ts'
import { testRuntime } from '../../runtime/test-runtime.ts'

const COLORS = { paper: '#EAF4EC', ink: '#06281C' }

const PNG_HEAD = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
const base64 = (text: string) => Buffer.from(text, 'latin1').toString('base64')
const pngOf = (bytes: number) => Buffer.concat([PNG_HEAD, Buffer.alloc(bytes - PNG_HEAD.length)]).toString('base64')
const PNG = base64('\x89PNG\r\n\x1a\n a picture')
const WEBP = base64('RIFF\x10\0\0\0WEBPVP8 a picture')
const JPEG = base64('\xff\xd8\xff\xe0 a picture')

const paintGame = sql({
  name: 'settings-test.paint-game',
  text: `update games set accent = $1 where key = 'treasure'`,
  params: [t.text],
})

it("a site's colours apply without a restart, and null brings the product's back", async () => {
  const [database, runtime] = [await testDatabase(), testRuntime()]
  const processes = [await settingsOn(database, runtime), await settingsOn(database, runtime)]
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
  const id = planIdOf(await desk.plan({ 'site.colors': COLORS }))
  await db.execute(paintGame, ['#4B5563'])
  await expect(desk.applyPlan(id)).rejects.toThrow('site.colors: ink #06281C on the accent #4B5563 of Treasure has 2')
})

it.each([
  ['site.logo', 'logo'],
  ['site.icon', 'icon'],
] as const)('%s applies without a restart, comes back as it was given, and null removes it', async (key, part) => {
  const [database, runtime] = [await testDatabase(), testRuntime()]
  const processes = [await settingsOn(database, runtime), await settingsOn(database, runtime)]
  const shown = () => processes.map((one) => one.site()[part])
  expect(shown()).toEqual([null, null])
  const desk = deskOn(database, runtime, { contentFile: 'content.json' })
  await desk.apply({ [key]: { light: PNG, dark: WEBP } })
  const address = (ending: string) => expect.stringMatching(new RegExp(`^/content/[0-9a-f]{32}\\.${ending}$`)) as string
  const pictures = { light: address('png'), dark: address('webp') }
  await vi.waitFor(() => expect(shown()).toEqual([pictures, pictures]))
  const { settings } = await desk.exported()
  expect(settings).toMatchObject({ [key]: { light: PNG, dark: WEBP } })
  expect(await desk.plan(settings)).toBe('Nothing changes.')
  await desk.apply({ [key]: null })
  await vi.waitFor(() => expect(shown()).toEqual([null, null]))
})

it('pictures are served by the hash of their content, for a year, and no other address is', async () => {
  const { application, db, runtime } = await testApplication()
  const desk = deskOn({ db }, runtime)
  const get = (picture: string) => {
    const bytes = Buffer.from(picture, 'base64')
    const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32)
    return application.http.inject({ url: `/content/${hash}.${picture === WEBP ? 'webp' : 'png'}` })
  }
  expect((await get(PNG)).statusCode).toBe(404)
  await desk.apply({ 'site.logo': { light: PNG, dark: PNG }, 'site.icon': { light: PNG, dark: WEBP } })
  await vi.waitFor(async () => expect((await get(PNG)).statusCode).toBe(200))
  for (const [picture, type] of [
    [PNG, 'image/png'],
    [WEBP, 'image/webp'],
  ] as const) {
    const { headers, rawPayload } = await get(picture)
    expect(headers).toMatchObject({
      'content-type': type,
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'cross-origin-resource-policy': 'same-origin',
    })
    expect(rawPayload.toString('base64')).toBe(picture)
  }
  await desk.apply({ 'site.icon': null })
  await vi.waitFor(async () => expect((await get(WEBP)).statusCode).toBe(404))
  expect((await get(PNG)).statusCode).toBe(200)
})

it.each<[string, unknown, string]>([
  ['one picture only', { light: PNG }, '.dark: set base64 of a PNG or WebP picture of at most 200000 bytes'],
  ['a text alone', PNG, ': set an object with light, dark'],
  ['a JPEG picture', { light: JPEG, dark: PNG }, '.light: set base64 of a PNG or WebP picture'],
  ['markup', { light: PNG, dark: base64('<svg onload="alert(1)">') }, '.dark: set base64 of a PNG or WebP picture'],
  ['an address', { light: '/logo.png', dark: PNG }, '.light: set base64 of a PNG or WebP picture'],
  ['a byte too many', { light: PNG, dark: pngOf(200_001) }, '.dark: set base64 of a PNG or WebP picture'],
])('a logo or an icon with %s is refused with its place', async (_what, value, problem) => {
  const desk = deskOn(await testDatabase(), testRuntime())
  const refused = await desk.plan({ 'site.logo': value, 'site.icon': value }).catch((error: unknown) => String(error))
  expect(refused).toContain(`site.logo${problem}`)
  expect(refused).toContain(`site.icon${problem}`)
  expect(refused.split('\n')).toHaveLength(2)
})

it('a picture of exactly 200,000 bytes is accepted, and a plan shows only its beginning', async () => {
  const desk = deskOn(await testDatabase(), testRuntime())
  const picture = pngOf(200_000)
  const planned = await desk.plan({ 'site.logo': { light: picture, dark: picture } })
  expect(planIdOf(planned)).not.toBe('')
  expect(planned.length).toBeLessThan(1000)
})
