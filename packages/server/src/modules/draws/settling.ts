import { settlePrizes } from '@fairball/domain/jackpot'
import type { Tx } from '../../db/pool.ts'
import { donationPool, feeReserve, operatorFee, partner, pot, reserve } from '../ledger/accounts.ts'
import { balanceOf, type Move, postPrizes, postTransfer } from '../ledger/service.ts'
import { DRAWS_CHANNEL, type DrawsContext } from './context.ts'
import * as queries from './queries.ts'
import type { DrawRow } from './queries.ts'
import { returnMoney } from './voiding.ts'

/** Settles a drawn draw once its last ball is shown: wins, postings, free tickets, the result statement. */
export async function settleDraw(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  await tx.one(queries.lockGame, [found.game_key])
  const row = await tx.one(queries.lockDraw, [drawId])
  if (row.status !== 'drawn') return
  const sealed = sealedFigures(row)
  const counts = await tx.run(queries.countByMatches, [drawId, sealed.drawnMask])
  const outcome = settlePrizes({
    tiers: await ctx.fairness.tiersOf(tx, row.rules_hash),
    winnersByMatches: new Map(counts.map((count) => [count.matches, count.entries])),
    poolSats: sealed.potSats,
    bankrollSats: sealed.bankrollSats,
    floorSats: sealed.floorSats,
    satsPerUnit: sealed.rateSats,
  })
  const winning = outcome.tiers.filter((tier) => tier.winners > 0)
  await tx.execute(queries.insertWins, {
    drawId,
    drawnMask: sealed.drawnMask,
    matches: winning.map((tier) => tier.matches),
    winTypes: winning.map((tier) => WIN_TYPES[tier.kind]),
    sats: winning.map((tier) => tier.satsEach),
  })
  await tx.execute(queries.addFreeTicketsWon, [drawId, row.game_key])
  await ctx.fairness.lockHead(tx)
  const now = ctx.runtime.clock.now()
  const money = await postSettlement(ctx, tx, row, outcome, now)
  await tx.execute(queries.insertPayablesOfWins, [drawId, now])
  const resultHash = await ctx.fairness.result(tx, {
    close: sealed.closeHash,
    signature: sealed.signature,
    numbers: sealed.numbers,
    tiers: outcome.tiers,
  })
  await tx.execute(queries.settleDraw, {
    id: drawId,
    now,
    tiers: outcome.tiers.map((tier) => ({ ...tier, satsEach: String(tier.satsEach) })),
    arePrizesScaled: outcome.isScaled,
    jackpotSats: money.jackpotSats,
    donationSats: money.donationSats,
    partners: money.donationSats === null ? [] : ctx.partners.map(({ name, url }) => ({ name, url })),
    resultHash,
  })
  await ctx.facts.record(tx, 'money.payable', { playerId: null })
  await ctx.jobs.add(tx, 'draws.tell-winners', { drawId: String(drawId) }, { key: `draws.tell-winners:${drawId}` })
  await tx.notify(DRAWS_CHANNEL, row.game_key)
}

/** The postings of a settlement, in the order of decisions section 5. */
async function postSettlement(
  ctx: DrawsContext,
  tx: Tx,
  row: DrawRow,
  outcome: ReturnType<typeof settlePrizes>,
  now: number,
): Promise<{ jackpotSats: bigint | null; donationSats: bigint | null }> {
  const { id: drawId, game_key: gameKey } = row
  const subject = String(drawId)
  const post = (event: string, moves: readonly Move[]) => postTransfer(tx, { event, subject, at: now, moves })
  const { fixedSats, fixedFromReserveSats, jackpotPaidSats, jackpotFromReserveSats } = outcome

  await post('draw.covered', [{ from: reserve(drawId), to: pot(drawId), sats: fixedFromReserveSats }])
  await postPrizes(tx, {
    event: 'draw.fixed-prizes',
    drawId,
    winType: 'PRIZE',
    from: pot(drawId),
    totalSats: fixedSats,
    at: now,
  })
  let jackpotSats: bigint | null = null
  let donationSats: bigint | null = null
  if (outcome.isJackpotWon) {
    await post('draw.floored', [{ from: reserve(drawId), to: pot(drawId), sats: jackpotFromReserveSats }])
    await postPrizes(tx, {
      event: 'draw.jackpot',
      drawId,
      winType: 'JACKPOT',
      from: pot(drawId),
      totalSats: jackpotPaidSats,
      at: now,
    })
    jackpotSats = jackpotPaidSats
    const feeSats = await balanceOf(tx, feeReserve(gameKey))
    await post('draw.fee-released', [{ from: feeReserve(gameKey), to: operatorFee, sats: feeSats }])
    donationSats = await donate(ctx, tx, row, now)
  }
  await returnMoney(tx, row, now)
  return { jackpotSats, donationSats }
}

/** Shares the donation pool equally between the partners; the remainder stays. Without partners it stays whole. */
async function donate(ctx: DrawsContext, tx: Tx, row: DrawRow, now: number): Promise<bigint | null> {
  if (ctx.partners.length === 0) return null
  const poolSats = await balanceOf(tx, donationPool(row.game_key))
  const shareSats = poolSats / BigInt(ctx.partners.length)
  if (shareSats === 0n) return null
  const moves = ctx.partners.map(({ id }) => ({
    from: donationPool(row.game_key),
    to: partner(id),
    sats: shareSats,
  }))
  await postTransfer(tx, { event: 'draw.donated', subject: String(row.id), at: now, moves })
  for (const { id } of ctx.partners) {
    const source = `donation:${row.id}:${id}`
    await tx.execute(queries.insertPayableOfPartner, { now, sats: shareSats, partnerId: id, drawId: row.id, source })
  }
  return shareSats * BigInt(ctx.partners.length)
}

/** Messages and mails to everybody who won in a draw. */
export async function tellWinners(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const row = await tx.one(queries.findDraw, [drawId])
  for (const winner of await tx.run(queries.findWinners, [drawId])) {
    await ctx.facts.record(tx, 'lines.won', {
      playerId: winner.player_id,
      gameKey: row.game_key,
      drawId,
      drawNumber: row.number,
      numbers: row.numbers ?? [],
      ratesAt: row.rate_at ?? ctx.runtime.clock.now(),
      bestLine: { playId: winner.play_id, place: winner.line_no + 1, matches: winner.matches },
      sats: winner.sats,
      freeTickets: winner.free_tickets,
      isJackpot: winner.is_jackpot,
    })
  }
}

const WIN_TYPES = { jackpot: 'JACKPOT', fixed: 'PRIZE', free: 'FREE_TICKET' } as const

/** What a drawn draw must have; the close and the draw wrote all of it. */
function sealedFigures(row: DrawRow) {
  const { pot_sats, bankroll_sats, floor_sats, rate_sats, drawn_mask, close_hash, beacon_signature, numbers } = row
  if (
    pot_sats === null ||
    bankroll_sats === null ||
    floor_sats === null ||
    rate_sats === null ||
    drawn_mask === null ||
    close_hash === null ||
    beacon_signature === null ||
    numbers === null
  ) {
    throw new Error(`draw ${row.id} is ${row.status} without its figures`)
  }
  return {
    potSats: pot_sats,
    bankrollSats: bankroll_sats,
    floorSats: floor_sats,
    rateSats: rate_sats,
    drawnMask: drawn_mask,
    closeHash: close_hash,
    signature: beacon_signature,
    numbers,
  }
}
