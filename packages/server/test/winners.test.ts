import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { luckyDip } from '@fairball/domain/lucky-dip'
import { maskMiddle } from '@fairball/domain/masking'
import { describe, expect, it, onTestFinished } from 'vitest'
import { readContentFile } from '../src/modules/content/content-file.ts'
import { NO_CONTENT } from '../src/modules/content/operator-content.ts'
import { PASSWORD, testApplication, type Loose, type TestApplication } from './application.ts'
import { seededRandom } from './seeded-random.ts'

const HOUR = 3600

/** Buys lines of bitcoin-hero, enough that some win, and pays them. */
async function play(app: TestApplication, bearer: string): Promise<void> {
  const random = seededRandom('winners')
  const tickets = Array.from({ length: 400 }, () => ({
    isLuckyDip: true,
    numbers: luckyDip({ pick: 5, pool: 36 }, (bytes) => random.bytes(bytes)),
  }))
  const body = { type: 'lotto', key: 'bitcoin-hero', days: [3], weeks: 1, tickets }
  const made = await app.call('POST', '/payment', { bearer, body })
  await app.call('POST', '/dev/pay', { body: { transaction_id: made.body.transaction_id } })
}

async function nextDraw(app: TestApplication): Promise<{ start_at: number; end_at: number }> {
  const { body } = await app.call('GET', '/games')
  return body.find((game: Loose) => game.key === 'bitcoin-hero').next_draw
}

describe('the winners', () => {
  it('winners are shown after the last ball, under masked names, as long as they agree', async () => {
    const app = await testApplication({ games: 'one game' })
    const winners = async (): Promise<Loose> => (await app.call('GET', '/winners')).body
    const [one, other] = [await app.signUp(), await app.signUp()]
    const agree = (bearer: string, isShown: boolean) =>
      app.call('PUT', '/settings/winner-consent', { bearer, body: { is_shown: isShown } })
    for (const { bearer } of [one, other]) await play(app, bearer)
    await agree(one.bearer, true)
    const draw = await nextDraw(app)
    for (const at of [draw.start_at + 1, draw.end_at - 61]) {
      await app.moveTo(at) // drawn, and the last ball is not yet shown
      expect(await winners()).toEqual([])
    }
    await app.moveTo(draw.end_at - 60)
    const bearer = await app.logIn(one.email)
    const { username } = (await app.call('GET', '/profile', { bearer })).body
    const won = (await app.call('GET', '/games/bitcoin-hero/wins', { bearer })).body.data
    const sats = won.reduce(
      (sum: bigint, win: Loose) => sum + BigInt(win.amount_won?.crypto.value.replace('.', '') ?? 0),
      0n,
    )
    expect(sats).toBeGreaterThan(0n)
    expect(await winners()).toEqual([
      {
        id: expect.any(String),
        user_name: maskMiddle(username),
        user_image: null,
        when: draw.start_at,
        game_name: 'Bitcoin Hero',
        amount_won: {
          crypto: { value: `${sats / 100_000_000n}.${String(sats % 100_000_000n).padStart(8, '0')}`, code: 'BTC' },
          fiat: expect.objectContaining({ GBP: expect.anything(), EUR: expect.anything() }),
        },
      },
    ])
    expect(maskMiddle(username)).not.toBe(username)
    await agree(bearer, false)
    expect(await winners()).toEqual([])
    await agree(bearer, true)
    expect(await winners()).toHaveLength(1)
    await app.moveTo(draw.end_at + HOUR)
    const again = await app.logIn(one.email)
    const closed = await app.call('DELETE', '/settings/account', { bearer: again, body: { password: PASSWORD } })
    expect(closed.status).toBe(200)
    expect(await winners()).toEqual([])
  }, 60_000) // a whole draw, on a busy computer
})

describe("the operator's content", () => {
  const PNG = Buffer.from('\x89PNG\r\n\x1a\n a picture', 'latin1')

  it('the content has the causes, and their pictures with size, type and a name that never shows anything else', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'fairball-content-'))
    onTestFinished(() => rm(folder, { recursive: true }))
    const cause = { id: 'wells', title: 'Wells', description: 'Clean water.', link: 'https://wells.example/' }
    const content = {
      causes: [
        { ...cause, image: 'wells.jpg' },
        { ...cause, id: 'books' },
      ],
    }
    await writeFile(join(folder, 'wells.jpg'), PNG)
    await writeFile(join(folder, 'content.json'), JSON.stringify(content))
    const read = readContentFile(join(folder, 'content.json'), { network: 'regtest' }, [])
    const { call, application } = await testApplication({ config: { content: read } })

    const { body: causes } = await call('GET', '/causes')
    expect(causes).toEqual([
      { ...cause, image: expect.stringMatching(/^\/content\/[0-9a-f]{32}\.png$/) },
      { ...cause, id: 'books', image: null },
    ])
    const get = (url: string, headers = {}) => application.http.inject({ url, headers })
    const picture = await get(causes[0].image)
    expect([picture.statusCode, picture.rawPayload]).toEqual([200, PNG])
    expect(picture.headers).toMatchObject({
      'content-type': 'image/png',
      'content-length': String(PNG.length),
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': expect.stringContaining("default-src 'none'"),
    })
    const again = await get(causes[0].image, { 'if-none-match': String(picture.headers.etag) })
    expect([again.statusCode, again.payload]).toEqual([304, ''])
    const head = await application.http.inject({ method: 'HEAD', url: causes[0].image })
    expect([head.statusCode, head.headers['content-length'], head.payload]).toEqual([200, String(PNG.length), ''])
    for (const name of ['wells.jpg', 'content.json', '..%2fcontent.json', '%2e%2e/secret.jpg', '../package.json', '']) {
      expect((await get(`/content/${name}`)).statusCode, name).toBe(404)
    }
  })

  it('the content has no causes if the operator names none, and marked examples in a demo without settings', async () => {
    expect((await (await testApplication({ config: { content: NO_CONTENT } })).call('GET', '/causes')).body).toEqual([])
    const { body: examples } = await (await testApplication()).call('GET', '/causes')
    expect(examples).toHaveLength(2)
    for (const { title, image } of examples)
      expect([title, image]).toEqual([expect.stringContaining('(example)'), null])
  })
})
