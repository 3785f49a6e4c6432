import { toHex } from '@fairball/domain/protocol/bytes'
import { afterResult, freeTicketsOf, wonOf } from '@fairball/domain/protocol/money'
import type { Rules } from '@fairball/domain/protocol/rules'
import { leavesOfSection, type SectionRecord, writeSections } from '@fairball/domain/protocol/sections'
import type { StatementOf } from '@fairball/domain/protocol/statements'
import type { Tx } from '../../db/pool.ts'
import { appendStatement, lockHead, NODE_HASH, playsTree, readStatementOf, sectionRoots } from '../fairness/service.ts'
import { donationPool, feeReserve, operatorFee, partner, pot, reserve } from '../ledger/accounts.ts'
import { balanceOf, type Move, postPrizes, postTransfer } from '../ledger/service.ts'
import { DRAWS_CHANNEL, type DrawsContext, type Partner } from './context.ts'
import { rulesOfDraw } from './guarantee.ts'
import { drawnFigures, type Outcome, outcomeOf, winningOf } from './outcome.ts'
import * as queries from './queries.ts'
import type { DrawRow, GameRow } from './queries.ts'
import { assertWritten, beginParts, isLarge, takeSections } from './settling-parts.ts'
import { keepState, stateOf } from './state.ts'
import { returnMoney } from './voiding.ts'

/** The job that tells the winners of a draw. */
export const TELL_WINNERS = 'draws.tell-winners'
/** Most winners told in one transaction. */
const WINNERS_AT_ONCE = 500

/** Settles a drawn draw once its last ball is shown: wins, postings, free tickets, the result. A large one in parts. */
export async function settleDraw(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  const game = await tx.one(queries.lockGame, [found.gameKey])
  const row = await tx.one(queries.lockDraw, [drawId])
  if (row.status !== 'drawn') return
  if (isLarge(ctx, row)) return await beginParts(ctx, tx, row)
  const { closeHash, drawnMask } = drawnFigures(row)
  const close = await readStatementOf(tx, 'close', closeHash)
  const rules = await rulesOfDraw(tx, row)
  const sections = await countedSections(tx, row, rules, drawnMask)
  const outcome = outcomeOf(rules, close, sections)
  await tx.execute(queries.insertWins, { drawId, drawnMask, ...winningOf(outcome) })
  await endSettlement(ctx, tx, { game, row, close, rules, sections, outcome })
}

/** Settles a draw whose wins have been written in parts. */
export async function finishSettling(ctx: DrawsContext, tx: Tx, drawId: bigint): Promise<void> {
  const found = await tx.one(queries.findDraw, [drawId])
  const game = await tx.one(queries.lockGame, [found.gameKey])
  const row = await tx.one(queries.lockDraw, [drawId])
  if (row.status !== 'drawn') return
  const close = await readStatementOf(tx, 'close', drawnFigures(row).closeHash)
  const rules = await rulesOfDraw(tx, row)
  const roots = await sectionRoots(tx, playsTree(row.openHash), row.leaves)
  const sections = await takeSections(tx, row, close, roots)
  const outcome = outcomeOf(rules, close, sections)
  await assertWritten(tx, drawId, outcome)
  await endSettlement(ctx, tx, { game, row, close, rules, sections, outcome })
}

/** What a draw is settled with once its wins are written. */
interface Settlement {
  readonly game: GameRow
  readonly row: DrawRow
  readonly close: StatementOf<'close'>
  readonly rules: Rules
  readonly sections: readonly SectionRecord[]
  readonly outcome: Outcome
}

async function endSettlement(ctx: DrawsContext, tx: Tx, settlement: Settlement): Promise<void> {
  const { game, row, close, rules, sections, outcome } = settlement
  const { id: drawId, gameKey } = row
  const { closeHash, signature, numbers } = drawnFigures(row)
  await tx.execute(queries.addFreeTicketsWon, [drawId, gameKey])
  const now = await lockHead(ctx.fairness, tx)
  const partners = ctx.partners() // they may change while this waits for the database
  const money = await postSettlement(tx, row, { outcome, close, partners, now })
  await tx.execute(queries.insertPayablesOfWins, [drawId, now])
  const file = writeSections(sections)
  const known = stateOf(game)
  const { left } = outcome.prizes
  const state = afterResult(known.state, { left, freeTickets: freeTicketsOf(rules, outcome.winners) })
  const { hash: resultHash } = await appendStatement(
    ctx.fairness,
    tx,
    {
      type: 'result',
      close: closeHash,
      signature,
      numbers,
      tier: outcome.tiers,
      left,
      sections: toHex(NODE_HASH(file)),
      last: known.last,
      state,
    },
    now,
  )
  await keepState(tx, gameKey, state, resultHash)
  await tx.execute(queries.settleDraw, {
    id: drawId,
    now,
    tiers: outcome.tiers.map(({ each, ...tier }) => ({ ...tier, satsEach: String(each) })),
    arePrizesScaled: outcome.areScaled,
    jackpotSats: money.jackpotSats,
    donationSats: money.donationSats,
    partners: money.donationSats === null ? [] : partners.map(({ name, url }) => ({ name, url })),
    resultHash,
    sections: file,
  })
  const { number: drawNumber, startAt } = row
  const jackpotSats = money.jackpotSats ?? 0n
  await ctx.facts.record(tx, 'draw.moved', {
    drawId,
    gameKey,
    drawNumber,
    startAt,
    to: 'drawn',
    numbers,
    jackpotSats,
    winningLines: outcome.winners.reduce((sum, lines) => sum + lines, 0),
    prizeSats: wonOf(outcome.winners, outcome.prizes),
  })
  await ctx.facts.record(tx, 'money.payable', { playerId: null })
  await tellWinnersLater(ctx, tx, { drawId, afterId: 0n })
  await tx.notify(DRAWS_CHANNEL, row.gameKey)
}

/** The totals of each section of a draw, with its winners by tier (fairness section 9). */
async function countedSections(tx: Tx, row: DrawRow, rules: Rules, drawnMask: bigint): Promise<SectionRecord[]> {
  const roots = await sectionRoots(tx, playsTree(row.openHash), row.leaves)
  const plays = new Map(
    (await tx.run(queries.countSections, [row.id, row.priceMinor])).map((counted) => [counted.section, counted]),
  )
  const lines = Map.groupBy(await tx.run(queries.countByMatches, [row.id, drawnMask]), ({ section }) => section)
  return roots.map((root, section) => {
    const { stakeSats: stake = 0n, lines: all = 0, free = 0, carried = 0 } = plays.get(section) ?? {}
    const byMatches = new Map(lines.get(section)?.map((counted) => [counted.matches, counted.lines]))
    const winners = rules.tier.map(({ matches }) => byMatches.get(matches) ?? 0)
    return { section, root, leaves: leavesOfSection(section, row.leaves), lines: all, free, carried, stake, winners }
  })
}

/** The postings of a settlement, in the order of decisions section 5. */
async function postSettlement(
  tx: Tx,
  row: DrawRow,
  settled: {
    readonly outcome: Outcome
    readonly close: StatementOf<'close'>
    readonly partners: readonly Partner[]
    readonly now: number
  },
): Promise<{ jackpotSats: bigint | null; donationSats: bigint | null }> {
  const { id: drawId, gameKey } = row
  const subject = String(drawId)
  const { outcome, close, partners, now } = settled
  const post = (event: string, moves: readonly Move[]) => postTransfer(tx, { event, subject, at: now, moves })
  const [jackpotWinners = 0] = outcome.winners
  const [jackpotEach = 0n] = outcome.prizes.each
  const jackpotPaidSats = jackpotEach * BigInt(jackpotWinners)
  const fixedSats = wonOf(outcome.winners, outcome.prizes) - jackpotPaidSats
  // The bankroll pays what the pool does not have: up to its cover for fixed prizes, up to its floor for a won jackpot.
  const fixedFromReserveSats = fixedSats > close.pool ? fixedSats - close.pool : 0n
  const restSats = close.pool + fixedFromReserveSats - fixedSats
  const jackpotFromReserveSats = jackpotPaidSats + outcome.prizes.left - restSats

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
  if (jackpotWinners > 0) {
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
    donationSats = await donate(tx, row, partners, now)
  }
  await returnMoney(tx, row, now)
  return { jackpotSats, donationSats }
}

/** Shares the donation pool equally between the partners; the remainder stays. Without partners it stays whole. */
async function donate(tx: Tx, row: DrawRow, partners: readonly Partner[], now: number): Promise<bigint | null> {
  if (partners.length === 0) return null
  const poolSats = await balanceOf(tx, donationPool(row.gameKey))
  const shareSats = poolSats / BigInt(partners.length)
  if (shareSats === 0n) return null
  const moves = partners.map(({ id }) => ({
    from: donationPool(row.gameKey),
    to: partner(id),
    sats: shareSats,
  }))
  await postTransfer(tx, { event: 'draw.donated', subject: String(row.id), at: now, moves })
  for (const { id } of partners) {
    const source = `donation:${row.id}:${id}`
    await tx.execute(queries.insertPayableOfPartner, { now, sats: shareSats, partnerId: id, drawId: row.id, source })
  }
  return shareSats * BigInt(partners.length)
}

/** Which winners of a draw are told next. */
interface Telling {
  readonly drawId: bigint
  /** the last player told; 0 for none */
  readonly afterId: bigint
}

async function tellWinnersLater(ctx: DrawsContext, tx: Tx, { drawId, afterId }: Telling): Promise<void> {
  const payload = { drawId: String(drawId), afterId: String(afterId) }
  await ctx.jobs.add(tx, TELL_WINNERS, payload, { key: `${TELL_WINNERS}:${drawId}:${afterId}` })
}

/** Sends messages and mails to everyone who won in a draw, in portions, to each player once. */
export async function tellWinners(ctx: DrawsContext, tx: Tx, { drawId, afterId }: Telling): Promise<void> {
  const row = await tx.one(queries.findDraw, [drawId])
  const winners = await tx.run(queries.findWinners, [drawId, afterId, BigInt(WINNERS_AT_ONCE)])
  for (const winner of winners) {
    await ctx.facts.record(tx, 'lines.won', {
      playerId: winner.playerId,
      gameKey: row.gameKey,
      drawId,
      drawNumber: row.number,
      numbers: row.numbers ?? [],
      ratesAt: row.rateAt ?? ctx.runtime.clock.now(),
      bestLine: { playId: winner.playId, place: winner.lineNo + 1, matches: winner.matches },
      sats: winner.sats,
      freeTickets: winner.freeTickets,
      isJackpot: winner.isJackpot,
    })
  }
  const last = winners.at(-1)
  if (last !== undefined && winners.length === WINNERS_AT_ONCE)
    await tellWinnersLater(ctx, tx, { drawId, afterId: last.playerId })
}
