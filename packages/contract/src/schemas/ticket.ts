/** What a player holds in a draw, in answers. */
import * as z from 'zod/mini'
import { payoutSchema } from './account.ts'
import { drawRefSchema, winTypeSchema } from './game.ts'
import { lineSchema } from './lines.ts'
import { amountSchema } from './money.ts'

/** UPCOMING, CLOSED and POSTPONED before the start, LIVE until the last ball is shown, then DRAWN; VOID is never drawn. */
const ticketDrawStatusSchema = z.enum(['UPCOMING', 'CLOSED', 'LIVE', 'DRAWN', 'POSTPONED', 'VOID'])

/**
 * The lines of one order in one draw. Until the last ball is shown, `numbers` is empty, and `matches` and `result` are
 * null. `moved_from` is the number of the draw that the lines were ordered for, if that is another. `payout` is the way
 * of the money won; null if none was.
 */
export const ticketSchema = z.object({
  play_id: z.string(),
  game_key: z.string(),
  transaction_id: z.string(),
  draw: z.extend(drawRefSchema, { end_at: z.int(), status: ticketDrawStatusSchema, numbers: lineSchema }),
  lines: z.array(z.object({ numbers: lineSchema, is_lucky_dip: z.boolean(), matches: z.nullable(z.int()) })),
  moved_from: z.nullable(z.int()),
  result: z.nullable(
    z.object({
      /** The highest; null without a win. */
      win_type: z.nullable(winTypeSchema),
      best_matches: z.int(),
      amount_won: z.nullable(amountSchema),
      free_tickets: z.int(),
    }),
  ),
  payout: z.nullable(payoutSchema),
})
export type Ticket = z.output<typeof ticketSchema>
