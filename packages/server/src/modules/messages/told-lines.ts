import { calendarFile } from '@fairball/domain/calendar-file'
import { letterOf } from '@fairball/domain/line-letters'
import { maskNumbers } from '@fairball/domain/lines'
import type { Tx } from '../../db/pool.ts'
import { array, sql, t } from '../../db/sql.ts'
import type { BallLook, BallsPicture, MailFile, MailParagraph } from './mail-parts.ts'
import type { MailSite } from './mail-template.ts'
import type { PlayerWords } from './player-words.ts'

/** Lines that a mail shows; it counts the others. */
const LINES_SHOWN = 5
/** Draws that a mail names; it counts the others. */
const DRAWS_NAMED = 8

const findOrderedDraws = sql({
  name: 'messages.find-ordered-draws',
  text: `select d.number, d.start_at, d.end_at from plays p join draws d on d.id = p.draw_id
    where p.order_id = $1 and d.status = 'open' order by d.start_at`,
  params: [t.uuid],
  row: { number: t.int, startAt: t.epochSeconds, endAt: t.epochSeconds },
  serves: 'each',
})

const findFirstLines = sql({
  name: 'messages.find-first-lines',
  text: `select o.line_count, l.masks[1:${LINES_SHOWN}] as masks
    from orders o join order_lines l on l.order_id = o.id where o.id = $1 order by l.part limit 1`,
  params: [t.uuid],
  row: { lineCount: t.int, masks: array(t.bigint) },
  serves: 'each',
})

const findLine = sql({
  name: 'messages.find-line',
  text: `select m.mask from plays p join order_lines l on l.order_id = p.order_id
      cross join unnest(l.masks) with ordinality as m (mask, place)
    where p.id = $1 order by l.part, m.place offset $2::int limit 1`,
  params: [t.uuid, t.int],
  row: { mask: t.bigint },
})

/** A paid order as its mail shows it. */
interface ToldOrder {
  /** Its draws that are still to come, the soonest first; times in epoch seconds. */
  readonly draws: readonly { readonly number: number; readonly startAt: number; readonly endAt: number }[]
  readonly lineCount: number
  /** The first lines. */
  readonly lines: readonly (readonly number[])[]
}

/** @returns lines and draws of an order that was just paid */
export async function readOrder(tx: Tx, orderId: string): Promise<ToldOrder> {
  const [draws, { lineCount, masks }] = await Promise.all([
    tx.run(findOrderedDraws, [orderId]),
    tx.one(findFirstLines, [orderId]),
  ])
  return { draws, lineCount, lines: masks.map(maskNumbers) }
}

/** @returns the numbers of a line of a play; its place is from 1 */
export async function readLine(tx: Tx, { playId, place }: { playId: string; place: number }): Promise<number[]> {
  const { mask } = await tx.one(findLine, [playId, place - 1])
  return maskNumbers(mask)
}

/** The draws of a paid order by their dates, and its lines as balls. */
export function ticketOf(
  { draws, lineCount, lines }: ToldOrder,
  look: BallLook,
  { time }: Pick<PlayerWords, 'time'>,
): MailParagraph[] {
  const dates = draws.slice(0, DRAWS_NAMED).map(({ number, startAt }) => `Draw ${number}: ${time(startAt)}`)
  const [moreDraws, moreLines] = [draws.length - dates.length, lineCount - lines.length]
  const pictures = lines.map((numbers, place) => {
    return { words: `Line ${letterOf(place)}: ${numbers.join(', ')}`, numbers, matched: null, look: lookOf(look) }
  })
  return [
    ...(dates.length === 0 ? [] : [[...dates, ...(moreDraws > 0 ? [`and ${moreDraws} more`] : [])].join('\n')]),
    ...pictures,
    ...(moreLines > 0 ? [`and ${moreLines} more ${moreLines === 1 ? 'line' : 'lines'}`] : []),
  ]
}

/** The draws of a paid order as a calendar file; none if all of them have closed. */
export function calendarOf(
  { draws, lineCount }: ToldOrder,
  { gameKey, gameName }: { readonly gameKey: string; readonly gameName: string },
  { name: siteName, publicUrl, now }: MailSite & { readonly now: number },
): MailFile[] {
  if (draws.length === 0) return []
  const watchUrl = `${publicUrl}/game/${gameKey}/watch`
  const events = draws.map((draw) => ({ ...draw, gameKey, gameName, lines: lineCount, watchUrl }))
  const text = calendarFile(events, { host: new URL(publicUrl).host, siteName, madeAt: Math.floor(now) })
  return [{ name: `${gameKey}-draws.ics`, type: 'text/calendar; charset=utf-8; method=PUBLISH', text }]
}

/** The numbers of a draw, and below them the player's best line with those that were drawn. */
export function picturesOfWin(
  numbers: readonly number[],
  { place, line }: { readonly place: number; readonly line: readonly number[] },
  look: BallLook,
): BallsPicture[] {
  const matched = line.filter((number) => numbers.includes(number))
  const words = `Line ${letterOf(place - 1)}: ${line.join(', ')}. Drawn of them: ${matched.join(', ')}.`
  return [
    { words: `Numbers drawn: ${numbers.join(', ')}`, numbers, matched: null, look: lookOf(look) },
    { words, numbers: line, matched, look: lookOf(look) },
  ]
}

/** The look alone: it is stored with the mail. */
function lookOf({ accent, pattern }: BallLook): BallLook {
  return { accent, pattern }
}
