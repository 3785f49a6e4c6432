import type { ConsoleAnswerOf } from '@fairball/contract/console/call'
import type { readCalls } from '@fairball/contract/console/read'
import { LotteryError } from '@fairball/domain/errors'
import { CURRENCIES } from '@fairball/domain/fiat'
import type { Queries } from '../../db/pool.ts'
import type { RowOf } from '../../db/sql.ts'
import { auditAbout, type GameNames, gameNames, idOf } from './read-parts.ts'
import { stateOf } from './read-payouts.ts'
import * as queries from './read-players-queries.ts'

type PlayerAnswer = ConsoleAnswerOf<typeof readCalls.getPlayer>
type Limits = RowOf<typeof queries.findLimits>

/** One player, without secrets. @throws LotteryError NOT_FOUND */
export async function playerPage(from: Queries, idText: string, now: number): Promise<PlayerAnswer> {
  const id = idOf(idText)
  const player = id === null ? null : await from.maybeOne(queries.findPlayer, [id])
  if (player === null) throw new LotteryError('NOT_FOUND')
  const [limits, notes, nameOf, audit] = await Promise.all([
    from.maybeOne(queries.findLimits, [player.id]),
    from.run(queries.listNotesOf, [idText]),
    gameNames(from),
    auditAbout(from, [idText], '^players?[.-]'),
  ])
  const until = limits?.excludedUntil ?? null
  const excluder = until === null ? null : await from.maybeOne(queries.findExcluder, [idText, until])
  return {
    ...profileOf(player),
    limits: limits === null ? [] : limitsOf(limits, now),
    exclusions: limits === null ? [] : exclusionsOf(limits, excluder?.name ?? null, now),
    ...(await whereOf(from, player.id, now)),
    ...(await historyOf(from, player.id, nameOf, now)),
    notes: notes.map(({ at, staffId, staffName, detail }) => {
      return { at, staff: { id: String(staffId), name: staffName }, text: detail }
    }),
    audit,
  }
}

function profileOf(player: RowOf<typeof queries.findPlayer>) {
  const { id, username, email, emailVerifiedAt, createdAt, closedAt, erasedAt, currencyId } = player
  return {
    id: String(id),
    username,
    email: email ?? '',
    is_email_verified: emailVerifiedAt !== null,
    state: erasedAt !== null ? 'erased' : closedAt !== null ? 'closed' : 'open',
    created_at: createdAt,
    last_seen_at: player.lastSeenAt,
    currency: currencyOf(currencyId),
    has_two_factor: player.hasTwoFactor,
    owed_sats: String(player.owedSats),
  }
}

function currencyOf(id: number): string {
  return CURRENCIES.find((one) => one.id === id)?.code ?? ''
}

function limitsOf(limits: Limits, now: number): PlayerAnswer['limits'] {
  const { weeklyLimitMinor, nextLimitMinor, nextLimitFrom, currencyId, reminderMinutes } = limits
  const hasComing = nextLimitFrom !== null && nextLimitFrom > now
  // A change whose time has come applies, whether or not the row was written again.
  const weekly = nextLimitFrom !== null && !hasComing ? nextLimitMinor : weeklyLimitMinor
  const shown: PlayerAnswer['limits'] = []
  if (weekly !== null || hasComing)
    shown.push({
      name: 'Weekly limit',
      value: moneyOf(weekly, currencyId),
      coming: hasComing ? moneyOf(nextLimitMinor, currencyId) : null,
      from_at: hasComing ? nextLimitFrom : null,
    })
  if (reminderMinutes !== null)
    shown.push({ name: 'Reminder', value: `every ${reminderMinutes} minutes`, coming: null, from_at: null })
  return shown
}

function moneyOf(minor: bigint | null, currencyId: number): string {
  if (minor === null) return 'none'
  const cents = String(minor % 100n).padStart(2, '0')
  return `${minor / 100n}.${cents} ${currencyOf(currencyId)}`
}

/** The pauses that run. When each began is not stored. @param excluder who of the staff set the exclusion, if somebody */
function exclusionsOf(
  { timeOutUntil, excludedUntil }: Limits,
  excluder: string | null,
  now: number,
): PlayerAnswer['exclusions'] {
  const ends: [number | null, string][] = [
    [timeOutUntil, 'a time-out of the player'],
    [excludedUntil, excluder === null ? 'the player' : `${excluder} of the staff`],
  ]
  return ends.flatMap(([until, by]) => (until === null || until <= now ? [] : [{ from_at: null, until_at: until, by }]))
}

async function whereOf(from: Queries, id: bigint, now: number) {
  const [sessions, addresses, setAside, holds] = await Promise.all([
    from.run(queries.listSessions, [id, now]),
    from.run(queries.listAddresses, [id]),
    from.run(queries.listSetAside, [id]),
    from.run(queries.listHolds, [id, now]),
  ])
  return {
    holds: [
      ...holds.map(({ kind, fromAt, untilAt, reason, requestId }) => {
        return { kind, from_at: fromAt, until_at: untilAt, reason, request: requestId }
      }),
      ...setAside.map(({ at, reason }) => {
        return { kind: 'set-aside', from_at: at, until_at: null, reason, request: null }
      }),
    ],
    sessions: sessions.map((one) => {
      return { id: one.id, device: one.device, created_at: one.createdAt, seen_at: one.seenAt }
    }),
    addresses: addresses.map(({ address, createdAt, paidFrom, supersededAt }) => {
      return { address, since: createdAt, usable_from: paidFrom, superseded_at: supersededAt }
    }),
  }
}

async function historyOf(from: Queries, id: bigint, nameOf: GameNames, now: number) {
  const [orders, plays, wins, payouts, messages] = await Promise.all([
    from.run(queries.listOrdersOf, [id]),
    from.run(queries.listPlaysOf, [id]),
    from.run(queries.listWinsOf, [id, now]),
    from.run(queries.listPayoutsOfPlayer, [id]),
    from.run(queries.listMessagesOf, [id]),
  ])
  return {
    orders: orders.map((order) => ({
      id: order.id,
      at: order.createdAt,
      state: order.status,
      sats: String(order.dueSats),
      lines: order.lineCount,
      game: order.gameKey,
      game_name: nameOf(order.gameKey),
    })),
    plays: plays.map((play) => ({
      id: play.id,
      order: play.orderId,
      game: play.gameKey,
      game_name: nameOf(play.gameKey),
      number: play.number,
      lines: play.lineCount,
      sats: String(play.stakeSats),
      at: play.receiptAt,
      state: play.returnedAt === null ? play.status : 'returned',
    })),
    wins: wins.map((win) => ({
      game: win.gameKey,
      game_name: nameOf(win.gameKey),
      number: win.number,
      prize: prizeOf(win),
      sats: String(win.sats),
      at: win.endAt,
    })),
    payouts: payouts.map(({ id: payout, batchId, state, sats, address, createdAt }) => ({
      batch: batchId === null ? `ln:${payout}` : String(batchId),
      state: stateOf(state),
      sats: String(sats),
      address,
      at: createdAt,
    })),
    messages: messages.map((message) => ({
      id: String(message.id),
      subject: message.title,
      at: message.createdAt,
      state: message.isRead ? 'read' : 'not read',
    })),
  }
}

const PRIZES: Readonly<Record<string, string>> = { JACKPOT: 'Jackpot', FREE_TICKET: 'Free ticket' }

function prizeOf({ winType, matches, lines }: RowOf<typeof queries.listWinsOf>): string {
  return `${PRIZES[winType] ?? `${matches} right`}${lines === 1 ? '' : ` × ${lines}`}`
}
