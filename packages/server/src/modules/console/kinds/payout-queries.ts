import { array, nullable, sql, t } from '../../../db/sql.ts'

/** A batch as its approval is about it. */
export const findBatchFacts = sql({
  name: 'console.find-batch-facts',
  text: `select state, reason from console_payout_batches where id = $1`,
  params: [t.bigint],
  row: { state: t.text, reason: nullable(t.text) },
})

/** A payout over Lightning as its approval is about it. */
export const findLightningFacts = sql({
  name: 'console.find-lightning-facts',
  text: `select state, reason from console_ln_payouts where payout_id = $1`,
  params: [t.bigint],
  row: { state: t.text, reason: nullable(t.text) },
})

const payoutRow = {
  id: t.bigint,
  playerId: nullable(t.bigint),
  partnerId: nullable(t.text),
  address: t.text,
  sats: t.bigint,
  draws: array(t.text),
} as const
const PAYOUT_TEXT = `select p.id, p.player_id, p.partner_id, p.address, p.sats,
    array(select distinct d.game_key || ' ' || d.number from console_payables w join console_draws d on d.id = w.draw_id
      where w.payout_id = p.id order by 1) as draws
  from console_payouts p`

/** What a setting says at a time; no row while it was never applied. */
export const findSetting = sql({
  name: 'console.find-setting',
  text: `select value from console_settings where key = $1 and from_at <= $2 order by version desc limit 1`,
  params: [t.text, t.epochSeconds],
  row: { value: t.json<unknown>() },
})

/** The payouts of a batch, in their order. */
export const listBatchFacts = sql({
  name: 'console.list-batch-facts',
  text: `${PAYOUT_TEXT} where p.batch_id = $1 order by p.id`,
  params: [t.bigint],
  row: payoutRow,
})

/** The same for one payout. */
export const listPayoutFacts = sql({
  name: 'console.list-payout-facts',
  text: `${PAYOUT_TEXT} where p.id = $1`,
  params: [t.bigint],
  row: payoutRow,
})
