import { lineMask } from '@fairball/domain/lines'
import type { Queries } from '../src/db/pool.ts'
import { array, sql, t } from '../src/db/sql.ts'

const setNumbers = sql({
  name: 'test.set-numbers',
  text: `update draws set numbers = $2, drawn_mask = $3 where game_key = $1 and status = 'drawn' returning id`,
  params: [t.text, array(t.int), t.bigint],
  row: { id: t.bigint },
})

/** Gives these numbers to the draw of a game that is drawn and not settled, whatever its beacon says. */
export async function rigDraw(db: Queries, gameKey: string, numbers: readonly number[]): Promise<void> {
  await db.one(setNumbers, [gameKey, [...numbers], lineMask(numbers)])
}
