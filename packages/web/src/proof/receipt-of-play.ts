import type { Play } from '@fairball/contract/schemas/game'
import { fromHex } from '@fairball/domain/protocol/bytes'
import { playSecret } from '@fairball/domain/protocol/plays'
import type { Api } from '../shared/api.ts'
import { findDraws } from './find-draws.ts'
import { readPaper } from './memory.ts'
import { writeTicketCode } from './ticket-code.ts'

/** The facts in the papers of a play. */
export interface PlayReceipt {
  /** Hash of the newest receipt, hex, which later shows the receipt that was provided. Null before there is one. */
  readonly hash: string | null
  /** The draw's number, which a play lacks before its draw. Null if it is not among the game's next draws. */
  readonly draw: number | null
  /**
   * The part after `#` in the address that a printed ticket opens; null before there is a receipt. It shows this play in
   * this draw: the order's own secret is not in it.
   */
  readonly code: string | null
}

/** The play, and the place to look for its draw. */
export interface WantedPlay {
  readonly id: Play['id']
  readonly draw: { readonly number: number } | null
  readonly game: string
  /** Number of the game's next draw. */
  readonly nextDraw: number
}

/** Fetches the papers of a play. */
export async function receiptOfPlay(api: Api, { id, draw, game, nextDraw }: WantedPlay): Promise<PlayReceipt> {
  const { promise, secret, username, receipts } = await api.call('getReceipt', { params: { play_id: id } })
  const newest = readPaper(receipts.at(-1)?.note ?? '')
  const receipt = newest?.statement.type === 'receipt' ? newest.statement : null
  const hash = newest?.hash ?? null
  const ps = receipt === null ? null : playSecret(fromHex(secret, 32), fromHex(receipt.open, 32))
  const code = receipt === null || ps === null ? null : writeTicketCode({ index: receipt.index, ps, username })
  if (draw !== null) return { hash, code, draw: draw.number }
  const opens = opensOf(newest?.statement ?? readPaper(promise)?.statement)
  const found = opens.length === 1 ? await findDraws(api, { game, opens, from: nextDraw }) : null
  return { hash, code, draw: found?.get(opens[0] ?? '')?.number ?? null }
}

function opensOf(paper: NonNullable<ReturnType<typeof readPaper>>['statement'] | undefined): string[] {
  if (paper === undefined) return []
  return paper.type === 'receipt' ? [paper.open] : paper.play.map(({ open }) => open)
}
