import { type Family, gauge } from '../../metrics/registry.ts'
import type { MonitoringContext } from './context.ts'
import * as queries from './queries.ts'

const NAME = 'lightning'
const DAY_SECONDS = 86_400
/** Days over which sales are averaged. */
const DAYS = 7
/** Payments of the last seconds may still be written with an earlier time. */
const SETTLED_SECONDS = 60

/** What was read of the Lightning node; amounts as strings, because JSON has no bigints. */
interface Stored {
  readonly isUp: boolean
  readonly isSynced: boolean
  readonly channels: Readonly<Record<string, number>>
  readonly sendableSats: string
  readonly receivableSats: string
  readonly inFlightSats: string
  /** until the first payment that is on its way out has to be fought for on the chain; null for none */
  readonly blocksLeft: number | null
  /** received over Lightning in a day, on the average of a week */
  readonly receivedDaySats: string
  /** the same of what was paid out */
  readonly sentDaySats: string
  /** what the way of all payouts cost that were paid until a moment, epoch seconds */
  readonly feeSats: string
  readonly feesUntil: number
}

const AWAY: Pick<
  Stored,
  'isUp' | 'isSynced' | 'channels' | 'sendableSats' | 'receivableSats' | 'inFlightSats' | 'blocksLeft'
> = {
  isUp: false,
  isSynced: false,
  channels: {},
  sendableSats: '0',
  receivableSats: '0',
  inFlightSats: '0',
  blocksLeft: null,
}

/** Asks the Lightning node how it is. @throws what the node throws; that it is away is stored then */
export async function lookAtLightning(ctx: MonitoringContext): Promise<void> {
  if (ctx.lightning === null) return
  const now = ctx.runtime.clock.now()
  const { sats } = await ctx.db.one(queries.sumOverLightning, [now - DAYS * DAY_SECONDS])
  const paid = await ctx.db.one(queries.sumPaidOverLightning, [now - DAYS * DAY_SECONDS])
  const week = {
    receivedDaySats: String(sats / BigInt(DAYS)),
    sentDaySats: String(paid.sats / BigInt(DAYS)),
    ...(await feesOf(ctx, now - SETTLED_SECONDS)),
  }
  const store = (read: typeof AWAY): Promise<unknown> =>
    ctx.db.execute(queries.storeReading, [NAME, now, { ...read, ...week } satisfies Stored])
  try {
    const { info, liquidity } = await ctx.lightning.look()
    const channels: Record<string, number> = {}
    for (const { state, isConnected } of liquidity.channels) {
      const name = isConnected ? state : `${state}, disconnected`
      channels[name] = (channels[name] ?? 0) + 1
    }
    await store({
      isUp: true,
      isSynced: info.isSynced,
      channels,
      sendableSats: String(liquidity.sendableMsat / 1000n),
      receivableSats: String(liquidity.receivableMsat / 1000n),
      inFlightSats: String(liquidity.inFlightMsat / 1000n),
      blocksLeft: liquidity.nextExpiry === null ? null : liquidity.nextExpiry - info.height,
    })
  } catch (error) {
    await store(AWAY)
    throw error
  }
}

/** What the way of all payouts cost, counted on from the last reading: no reading goes through all of them again. */
async function feesOf(ctx: MonitoringContext, until: number): Promise<Pick<Stored, 'feeSats' | 'feesUntil'>> {
  const reading = await ctx.db.maybeOne(queries.findReading, [NAME])
  const before = reading === null ? {} : (reading.content as Partial<Stored>) // of the release before, some are missing
  const { feeSats = '0', feesUntil = 0 } = before
  if (until <= feesUntil) return { feeSats, feesUntil }
  const { sats } = await ctx.db.one(queries.sumLightningFees, [feesUntil, until])
  return { feeSats: String(BigInt(feeSats) + sats), feesUntil: until }
}

/** The state of the Lightning node at its last reading; without one every family is empty. */
export async function lightningFamilies(
  ctx: MonitoringContext,
  { differenceSats }: { readonly differenceSats: bigint | null },
): Promise<Family[]> {
  const reading = ctx.lightning === null ? null : await ctx.db.maybeOne(queries.findReading, [NAME])
  const read = reading === null ? null : (reading.content as Stored) // only `lookAtLightning` writes it
  const one = (value: (stored: Stored) => number | bigint) => (read === null ? [] : [[{}, value(read)] as const])
  // What an absent node cannot say is left out.
  const told = (value: (stored: Stored) => number | bigint) => (read?.isUp === true ? one(value) : [])
  return [
    gauge(
      'fairball_lightning_up',
      'Whether the Lightning node answered when it was asked last. Alarm: LightningDown.',
      one(({ isUp }) => (isUp ? 1 : 0)),
    ),
    gauge(
      'fairball_lightning_synced',
      'Whether it has read the chain to its end; otherwise nothing is taken over Lightning. Alarm: LightningDown.',
      told(({ isSynced }) => (isSynced ? 1 : 0)),
    ),
    gauge(
      'fairball_lightning_channels',
      'Its channels, by what they do. Alarm: LightningChannelClosing.',
      Object.entries(read?.channels ?? {}).map(([state, channels]) => [{ state }, channels]),
    ),
    gauge(
      'fairball_lightning_sendable_sats',
      'What its channels can send now, in satoshis.',
      told(({ sendableSats }) => BigInt(sendableSats)),
    ),
    gauge(
      'fairball_lightning_receivable_sats',
      'What its channels can receive now, in satoshis. Alarm: LightningInboundLow.',
      told(({ receivableSats }) => BigInt(receivableSats)),
    ),
    gauge(
      'fairball_lightning_in_flight_sats',
      'What is on its way through it and not settled, in satoshis.',
      told(({ inFlightSats }) => BigInt(inFlightSats)),
    ),
    gauge(
      'fairball_lightning_blocks_left',
      'Blocks until the first payment that is on its way out has to be fought for on the chain. Alarm: LightningPaymentExpires.',
      read?.blocksLeft == null ? [] : [[{}, read.blocksLeft]],
    ),
    gauge(
      'fairball_lightning_received_day_sats',
      'What orders paid over Lightning in a day, on the average of a week, in satoshis.',
      one(({ receivedDaySats }) => BigInt(receivedDaySats)),
    ),
    gauge(
      'fairball_lightning_sent_day_sats',
      'What was paid out over Lightning in a day, on the average of a week, in satoshis. Alarm: LightningOutboundLow.',
      one(({ sentDaySats }) => BigInt(sentDaySats)),
    ),
    {
      ...gauge(
        'fairball_lightning_fee_sats_total',
        'What the way of all payouts over Lightning has cost, in satoshis.',
        one(({ feeSats }) => BigInt(feeSats)),
      ),
      type: 'counter',
    },
    ...(await payoutFamilies(ctx)),
    gauge(
      'fairball_lightning_difference_sats',
      'What the Lightning node held less what the ledger said. Alarm: LightningDifference.',
      differenceSats === null ? [] : [[{}, differenceSats]],
    ),
  ]
}

/** The payouts over Lightning that are not done, and how those of the last day went. */
async function payoutFamilies(ctx: MonitoringContext): Promise<Family[]> {
  const now = ctx.runtime.clock.now()
  const hasNode = ctx.lightning !== null
  const open = hasNode ? await ctx.db.run(queries.countLightningPayouts, []) : []
  const paid = hasNode ? await ctx.db.one(queries.sumPaidOverLightning, [now - DAY_SECONDS]) : null
  const oldestAt = Math.min(now, ...open.flatMap((row) => row.oldestAt ?? []))
  return [
    gauge(
      'fairball_lightning_payouts',
      'Payouts over Lightning that are not done, by state.',
      open.map(({ state, payouts }) => [{ state }, payouts]),
    ),
    gauge(
      'fairball_lightning_oldest_in_flight_seconds',
      'How long the longest payment of a payout has been undecided. Alarms: LightningPayoutStuck, LightningPayoutStuckLong.',
      hasNode ? [[{}, now - oldestAt]] : [],
    ),
    gauge(
      'fairball_lightning_payout_seconds',
      'How long payouts of the last day took until they were paid, on average.',
      paid?.meanSeconds == null ? [] : [[{}, paid.meanSeconds]],
    ),
    {
      ...gauge(
        'fairball_lightning_never_left_total',
        'Payments that the node took and, after a death, never sent nor ended; each was given up after its invoice was over.',
        paid === null ? [] : [[{}, paid.neverLeft]],
      ),
      type: 'counter',
    },
  ]
}
