import type { BitcoinNetwork } from '@fairball/domain/btc-address'
import { MAIL_KEPT_SECONDS, OTHERS_MAIL_KEPT_SECONDS } from '@fairball/domain/periods'
import type { Db, Queries, Tx } from '../../db/pool.ts'
import type { SignedIn } from '../../http/auth-hook.ts'
import type { RateLimits } from '../../http/rate-limits.ts'
import type { Jobs } from '../../jobs/queue.ts'
import type { SocialLogin } from '../../ports/social-login/social-login.ts'
import type { Runtime } from '../../runtime/runtime.ts'
import type { Messages } from '../messages/service.ts'
import { createAccessTokens } from './access-tokens.ts'
import { createClosing, type OpenMoney } from './closing.ts'
import { createExclusions } from './exclusions.ts'
import { createKeys } from './keys.ts'
import { createLoginAttempts } from './login-attempts.ts'
import { createLogin } from './login.ts'
import { createAccountMails } from './mails.ts'
import { removeOldFormerEmails } from './notice-recipients.ts'
import { createPasswordChanges } from './password-changes.ts'
import { createPasswords } from './passwords.ts'
import { createPayoutAddress } from './payout-address.ts'
import { createPersonalData } from './personal-data.ts'
import { createProfile } from './profile.ts'
import { createProofs } from './proof.ts'
import { removeOldExclusions } from './queries.ts'
import { createRegistration } from './registration.ts'
import { createResponsiblePlay } from './responsible-play.ts'
import { createSecrets } from './secrets.ts'
import { createSecurityQuestion } from './security-question.ts'
import { createPlaces } from './session-place.ts'
import { createSessions } from './sessions.ts'
import { createTwoFactor } from './two-factor.ts'
import { createWinnerConsent } from './winner-consent.ts'

/** The kind of the job that removes what has run out. */
export const CLEAN_UP = 'accounts.clean-up'
const DAY = 86_400

/** What the accounts module is told by the rest of the server. */
export interface AccountsHooks {
  /**
   * Called in the transaction in which a player's e-mail address became verified or a bitcoin address was saved: money
   * may have waited for either.
   */
  readonly onPayoutReady: (tx: Tx, playerId: bigint) => Promise<void>
  /** Whether an address is one of the house's, at which payments are taken. */
  readonly isHouseAddress: (tx: Tx, address: string) => Promise<boolean>
  /** How a player's money stands: what is owed, is leaving, or may still come. */
  readonly openMoney: (tx: Tx, playerId: bigint) => Promise<OpenMoney>
  /** Whether what waits for a player is enough to be sent to the address. */
  readonly canBePaid: (tx: Tx, playerId: bigint) => Promise<boolean>
  /** Erases what other modules keep of a person whose account ends. */
  readonly forgetElsewhere: (tx: Tx, playerId: bigint) => Promise<void>
  /** What other modules keep about a player, as plain JSON without bigint. */
  readonly otherPersonalData: (playerId: bigint) => Promise<Record<string, unknown>>
  /** What a player's orders since a time cost, in pence; those that expired or were refunded are left out. */
  readonly spentSince: (tx: Tx, playerId: bigint, sinceAt: number) => Promise<bigint>
  /** Newest known satoshis per unit of each currency, however old. */
  readonly rates: (from: Queries) => Promise<ReadonlyMap<string, bigint>>
}

export interface AccountsDeps {
  readonly db: Db
  readonly runtime: Runtime
  readonly jobs: Jobs
  readonly rateLimits: RateLimits
  readonly messages: Messages
  readonly social: SocialLogin
  /** The secret of this installation; every key of this module is derived from it. */
  readonly secretKey: string | Uint8Array
  /** Without a slash at its end; links in mails begin with it. */
  readonly publicUrl: string
  readonly network: BitcoinNetwork
  readonly hooks: AccountsHooks
}

export type Accounts = ReturnType<typeof createAccounts>

/** Players, how they prove who they are, and what they set. */
export function createAccounts(options: AccountsDeps) {
  const { db, runtime, jobs, rateLimits, messages, social, secretKey, publicUrl, network, hooks } = options
  const { onPayoutReady, otherPersonalData, spentSince, rates } = hooks
  const secrets = createSecrets({ secretKey, random: runtime.random })
  const passwords = createPasswords(runtime.random)
  const keys = createKeys({ secrets, clock: runtime.clock })
  const accessTokens = createAccessTokens({ key: secrets.tokenKey, clock: runtime.clock })
  const loginAttempts = createLoginAttempts({ db, runtime, secrets })
  const placeOf = createPlaces()
  const sessions = createSessions({ db, runtime, secrets, accessTokens, loginAttempts, placeOf })
  const mails = createAccountMails({ mail: messages.mail, publicUrl, newId: () => runtime.random.uuid() })
  const exclusions = createExclusions({ secrets })
  const base = {
    db,
    runtime,
    jobs,
    rateLimits,
    loginAttempts,
    secrets,
    passwords,
    keys,
    sessions,
    mails,
    messages,
    social,
    exclusions,
  }
  const twoFactor = createTwoFactor(base)
  const proofs = createProofs({ ...base, twoFactor })
  const registration = createRegistration({ ...base, onPayoutReady })
  const responsiblePlay = createResponsiblePlay({ db, runtime, exclusions, spentSince, rates })
  const profile = createProfile({ ...base, proofs, registration, responsiblePlay })
  const login = createLogin({ ...base, twoFactor, registration })
  const payoutAddress = createPayoutAddress({ ...base, ...hooks, network, proofs })
  const passwordChanges = createPasswordChanges({ ...base, twoFactor, proofs, payoutAddress })
  const securityQuestion = createSecurityQuestion(base)
  const winnerConsent = createWinnerConsent(base)
  const personalData = createPersonalData({ ...base, profile, responsiblePlay, winnerConsent, otherPersonalData })
  const closing = createClosing({ ...base, ...hooks, twoFactor, proofs, payoutAddress, responsiblePlay, winnerConsent })

  /** Switches two-factor off for who shows a proof. @throws LotteryError what the proof or the switch throws */
  async function disableTwofa(player: SignedIn, proof: Parameters<typeof proofs.require>[1]): Promise<void> {
    await proofs.require(player, proof)
    await twoFactor.disable(player)
  }

  /** Removes sessions, keys, counters and mails that have run out, and arranges for tomorrow. */
  async function cleanUp(tx: Tx): Promise<void> {
    await sessions.removeOld(tx)
    await keys.removeOld(tx)
    await tx.execute(removeOldExclusions, [runtime.clock.now()])
    await removeOldFormerEmails(tx, runtime.clock.now())
    const nowAt = runtime.clock.now()
    await messages.removeMailSentBefore(tx, {
      playersAt: nowAt - MAIL_KEPT_SECONDS,
      othersAt: nowAt - OTHERS_MAIL_KEPT_SECONDS,
    })
    await rateLimits.removeOld(tx)
    await closing.scheduleFinish(tx)
    await loginAttempts.removeOld(tx)
    await scheduleCleanUp(tx)
  }

  /** Sees to it that a clean-up is due within a day. Called at every start; one job waits, however often. */
  async function scheduleCleanUp(tx: Tx): Promise<void> {
    await jobs.add(tx, CLEAN_UP, {}, { key: CLEAN_UP, runAt: runtime.clock.now() + DAY })
  }

  return {
    sessions,
    registration,
    login,
    passwordChanges,
    proofs,
    profile,
    twoFactor,
    disableTwofa,
    securityQuestion,
    payoutAddress,
    responsiblePlay,
    winnerConsent,
    personalData,
    closing,
    cleanUp,
    scheduleCleanUp,
    /** For `createHttpApp`. */
    authenticate: sessions.authenticate,
  }
}
