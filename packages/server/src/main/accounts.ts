import type { Config } from '../config/config.ts'
import { RateLimits } from '../kernel/limits.ts'
import type { JobHandler } from '../jobs/job.ts'
import type { ContentContext } from '../modules/content/service.ts'
import { forgetSavedNumbersOf } from '../modules/games/numbers.ts'
import { identityJobs } from '../modules/identity/jobs.ts'
import { type IdentityContext, identityContext } from '../modules/identity/service.ts'
import { endUncovered } from '../modules/orders/service.ts'
import { takesPaymentsAt } from '../modules/payments/service.ts'
import { canBePaid, openMoney } from '../modules/payouts/service.ts'
import { playersJobs } from '../modules/players/jobs.ts'
import type { PlayersContext } from '../modules/players/service.ts'
import { privacyJobs } from '../modules/privacy/jobs.ts'
import type { PrivacyContext } from '../modules/privacy/service.ts'
import { shownWins } from '../modules/results/service.ts'
import type { LimitsContext, SaferPlayContext } from '../modules/safer-play/service.ts'
import { configuredProviders } from '../ports/social-login/configured-providers.ts'
import type { Site } from '../modules/settings/service.ts'
import type { SocialLogins } from '../ports/social-login/social-login.ts'
import type { Lottery } from './lottery.ts'
import { holdersOfPersonalData } from './personal-data.ts'

/** What the modules around the lottery need: the players, their limits, and what is stored about them. */
export interface Accounts {
  readonly rateLimits: RateLimits
  readonly identity: IdentityContext
  readonly saferPlay: SaferPlayContext
  readonly players: PlayersContext
  readonly content: ContentContext
  readonly privacy: PrivacyContext
}

/** Builds the contexts of the modules around the lottery. */
export function accountsOf(options: {
  readonly config: Config
  readonly lottery: Lottery
  readonly limits: LimitsContext
  readonly socialLogins: SocialLogins
  /** the site as it is now */
  readonly site: () => Site
}): Accounts {
  const { config, lottery, limits, socialLogins, site } = options
  const { publicUrl } = config
  const { db, runtime, facts, messages, payments, payouts, orders, games, results, addressSeals } = lottery
  const { keyFor } = lottery.seal
  const rateLimits = new RateLimits({ db, clock: runtime.clock, callerKey: keyFor('callerDigests') })
  const social = configuredProviders(runtime, socialLogins, publicUrl)
  const jobs = lottery.queue
  const identity = identityContext({ db, runtime, jobs, facts, rateLimits, messages, social, publicUrl }, keyFor)
  const saferPlay: SaferPlayContext = {
    ...limits,
    db,
    secrets: identity.secrets,
    endUncovered: (tx, playerId, why, now) => endUncovered(orders, tx, playerId, why, now),
  }
  const players: PlayersContext = {
    ...saferPlay,
    ...identity,
    network: config.bitcoinNetwork,
    isOperatorAddress: takesPaymentsAt,
    proofOfNotice: (row, to) => addressSeals.noticeProof(row, to),
    proofOfDestinationNotice: (row, to) => addressSeals.destinations.noticeProof(row, to),
    payees: config.lightningPayoutMaxSats > 0n ? lottery.payees : null,
    ownHost: lottery.isDemo ? new URL(publicUrl).host : null,
    forgetSavedNumbers: forgetSavedNumbersOf,
  }
  const content: ContentContext = {
    db,
    runtime,
    rateLimits,
    messages,
    supportEmail: () => site().supportEmail,
    causes: () => site().content.causes,
    recentWins: () => shownWins(results),
  }
  const privacy: PrivacyContext = {
    ...players,
    runtime,
    openMoney: (tx, playerId) => openMoney(payouts, tx, playerId),
    canBePaid: (tx, playerId) => canBePaid(payouts, tx, playerId),
    holders: holdersOfPersonalData({ db, messages, payments, payouts, games, content }),
  }
  return { rateLimits, identity, saferPlay, players, content, privacy }
}

/** Every kind of background job around the lottery. */
export function accountJobs({ identity, players, privacy }: Accounts): JobHandler[] {
  return [...identityJobs(identity), ...playersJobs(players), ...privacyJobs(privacy)]
}
