import type { GameWithRules } from '@fairball/domain/games'
import { gameByKey } from '@fairball/domain/seeds'
import type { GameVersion, OpenDraw } from '@fairball/contract/schemas/game'
import type { Game } from '../shared/data/games.ts'
import { pounds } from './pounds.ts'
import { firstVersion } from './seeded-game.ts'

const DAY = 86_400
const STATEMENT = 'ab'.repeat(32)
const hero = gameByKey('bitcoin-hero')
if (hero === null) throw new Error('there is no such game')
const rules: GameWithRules = hero
const dearer: GameWithRules = { ...rules, priceMinor: 150 }

/**
 * Bitcoin Hero while a change is to come: its draws cost £1.00 until one of a later day, which is the first at £1.50.
 *
 * @param startAt when its next draw starts, epoch seconds
 * @param fromDraw the first draw at the new price; the next one is draw 1
 */
export function changingGame(startAt: number, fromDraw: number) {
  const change: Game['change'] = {
    version: 2,
    from_draw: fromDraw,
    from_at: startAt + (fromDraw - 1) * DAY,
    kinds: ['price-up'],
    statement: STATEMENT,
  }
  const later = { version: 2, from_at: change.from_at, from_draw: fromDraw, kinds: ['price-up'] }
  const versions: GameVersion[] = [{ ...firstVersion(dearer), ...later }, firstVersion(rules)]
  const openDraws = Array.from({ length: 15 }, (_, place): OpenDraw => {
    const at = startAt + place * DAY
    const isDearer = place + 1 >= fromDraw
    return {
      number: place + 1,
      start_at: at,
      ticket_sell_closes_at: at - 300,
      day: new Date(at * 1000).getUTCDay() || 7,
      version: isDearer ? 2 : 1,
      rules: firstVersion(isDearer ? dearer : rules).rules,
      rules_hash: STATEMENT,
      ticket_price: { fiat: pounds(isDearer ? 1.5 : 1).fiat },
      prizes: [],
    }
  })
  return { change, versions, openDraws }
}
