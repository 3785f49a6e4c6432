import { expect, it } from 'vitest'
import { sql, t } from '../src/db/sql.ts'
import { testApplication } from './application.ts'
import { notingDb } from './asked-statements.ts'
import { testRows } from './draw-rows.ts'

const GAME = 'treasure'
const NUMBERS = [34, 2, 17, 9, 50]
/** The games and their draws, which all callers of a moment share: the first caller reads them. */
const SHARED = ['games.find-draws-around', 'games.list-stored', 'games.list-aliases']

const findPlayerId = sql({
  name: 'test-statements.find-player-id',
  text: 'select id from players where email = $1',
  params: [t.text],
  row: { id: t.bigint },
})

// Each statement is a round trip that costs as much as everything else that such a call does: an extra one shows here,
// and not first under load.
it('a player who reads costs the database the check of the session and one statement', async () => {
  let asked = (): string[][] => []
  const program = await testApplication({
    wrapDb: (db) => {
      const noting = notingDb(db)
      asked = noting.take
      return noting.db
    },
  })
  const { bearer, email } = await program.signUp()
  const { id: playerId } = await program.db.one(findPlayerId, [email])
  const rows = testRows(program.db, program.runtime)
  await rows.ground()

  const settled = { gameKey: GAME, status: 'settled', numbers: NUMBERS } as const
  const startAt = program.runtime.clock.now() - 86_400
  const drawId = await rows.draw({ ...settled, number: 9001, startAt, rateAt: startAt })
  const drawIds = [drawId, await rows.draw({ ...settled, number: 9002, startAt: startAt + 3600, rateAt: startAt })]
  const [playId = ''] = await rows.order({ playerId, gameKey: GAME, lines: [NUMBERS, NUMBERS], drawIds })
  await rows.win({ drawId, playerId, playId, lineNo: 0, matches: 2, winType: 'FREE_TICKET' })

  const statementsOf = async (path: string): Promise<string[]> => {
    asked()
    expect([path, (await program.call('GET', `/games/${GAME}/${path}`, { bearer })).status]).toEqual([path, 200])
    return asked()
      .flat()
      .filter((name) => !SHARED.includes(name))
  }
  const session = 'accounts.find-signed-in'
  expect(await statementsOf('watch')).toEqual([session])
  expect(await statementsOf('plays')).toEqual([session, 'results.find-plays'])
  expect(await statementsOf('wins')).toEqual([session, 'results.find-wins'])

  // What only some need: the number of pages past the last one, and the rates of money wins.
  expect(await statementsOf('plays?_page=2')).toEqual([session, 'results.find-plays', 'results.count-plays'])
  await rows.win({ drawId, playerId, playId, lineNo: 1, matches: 3, winType: 'PRIZE', sats: 50_000n })
  expect(await statementsOf('wins')).toEqual([session, 'results.find-wins', 'payments.find-rates-at'])
})
