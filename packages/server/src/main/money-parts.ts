import { createSecretKey } from 'node:crypto'
import type { Db } from '../db/pool.ts'
import type { Jobs } from '../jobs/queue.ts'
import { bookUnknown, type LightningDesk, type PaymentsContext } from '../modules/payments/service.ts'
import type { ClockRule, Partner } from '../modules/draws/service.ts'
import { type LightningPayouts, type PayoutsContext, payoutsContext } from '../modules/payouts/service.ts'
import { type TreasuryContext, treasuryContext } from '../modules/treasury/service.ts'
import type { Bitcoin, BitcoinSettings } from '../ports/bitcoin.ts'
import { chooseLightning, type Lightning } from '../ports/lightning/choose.ts'
import { createPayees, type OwnServer, type Payees } from '../ports/lightning/payee.ts'
import type { PaymentProvider } from '../ports/payment-provider/payment-provider.ts'
import { withLightning, withoutLightning } from '../ports/payment-provider/with-lightning.ts'
import type { Runtime } from '../runtime/runtime.ts'
import type { InstallationSeal } from '../runtime/seal.ts'

/** What the parts of a lottery that take Lightning are built on. */
interface Ground {
  readonly db: Db
  readonly runtime: Runtime
  readonly runtimeOnDatabaseTime: Runtime
  readonly queue: Jobs
  readonly seal: InstallationSeal
}

/** The Lightning node of the settings, or the one in its place; null for none. */
export function lightningOf(
  deps: { readonly bitcoin: BitcoinSettings; readonly chooseLightning?: typeof chooseLightning },
  { db, runtime }: Ground,
  asked: Pick<Parameters<typeof chooseLightning>[0], 'testSeed' | 'chainHeight'>,
): Promise<Lightning | null> {
  return (deps.chooseLightning ?? chooseLightning)({ db, runtime, settings: deps.bitcoin, ...asked })
}

/** What takes payments over Lightning. */
export function lightningDesk(settings: BitcoinSettings, ground: Ground, { node, watch }: Lightning): LightningDesk {
  return {
    db: ground.db,
    runtime: ground.runtimeOnDatabaseTime,
    jobs: ground.queue,
    node,
    watch,
    network: settings.bitcoinNetwork,
    preimageKey: createSecretKey(ground.seal.keyFor('lightningPreimages')),
    firstMaxSats: settings.lightningFirstMaxSats,
    inMaxSats: settings.lightningInMaxSats,
    asked: new Map(),
  }
}

/** Who is paid over Lightning. */
export interface PayeeChoice {
  /** Answers in process for Lightning addresses of this site: in the demo alone. */
  readonly ownServer?: OwnServer
  /** The payees, in place of those whom players name. */
  readonly payees?: Payees
}

/** The payees of the Lightning node; null for none. */
export function payeesOf(
  deps: PayeeChoice & { readonly bitcoin: BitcoinSettings; readonly publicUrl: string },
  { runtime }: Pick<Ground, 'runtime'>,
  lightning: Lightning | null,
): Payees | null {
  if (lightning === null) return null
  return (
    deps.payees ??
    createPayees({
      runtime,
      network: deps.bitcoin.bitcoinNetwork,
      outbound: runtime.outbound,
      publicUrl: deps.publicUrl,
      ownServer: deps.ownServer ?? null,
      node: lightning.node,
      nodeId: () => lightning.watch.nodeId(),
    })
  )
}

/** What pays players and partners, over the chain and over Lightning. */
export function payoutsOf(
  deps: Pick<PayoutsContext, 'limits' | 'returnSeconds'> & {
    readonly bitcoin: BitcoinSettings
    readonly partners: () => readonly Partner[]
  },
  ground: Omit<Ground, 'seal'> & Pick<PayoutsContext, 'facts' | 'addressSeals'> & { readonly clockRule: ClockRule },
  ways: Pick<PayoutsContext, 'wallet'> & { readonly lightning: Lightning | null; readonly payees: Payees | null },
): PayoutsContext {
  const { bitcoin: settings, limits, returnSeconds } = deps
  return payoutsContext({
    db: ground.db,
    runtime: ground.runtimeOnDatabaseTime,
    jobs: ground.queue,
    facts: ground.facts,
    wallet: ways.wallet,
    lightning: overLightning(settings, ways, ground.clockRule),
    network: settings.bitcoinNetwork,
    explorerUrl: settings.explorerUrl,
    limits,
    returnSeconds,
    addressSeals: ground.addressSeals,
    partnerAddresses: () =>
      new Map(deps.partners().flatMap(({ id, address }) => (address === null ? [] : [[id, address] as const]))),
  })
}

function overLightning(
  settings: BitcoinSettings,
  { lightning, payees }: { readonly lightning: Lightning | null; readonly payees: Payees | null },
  clockRule: ClockRule,
): LightningPayouts | null {
  if (lightning === null || payees === null) return null
  const { node, watch } = lightning
  const { lightningPayoutMaxSats: maxSats, lightningFeePpm: feePpm, lightningFeeMinSats: feeMinSats } = settings
  return {
    node,
    watch,
    payees,
    limits: () => ({ maxSats, feePpm, feeMinSats, floatSats: settings.lightningFloatSats }),
    isClockWrong: (from) => clockRule.isWrong(from),
    compared: { at: null },
    asked: new Map(),
  }
}

/** The provider of payments on the chain, with the Lightning node beside it if there is one. */
export function providerWith(provider: PaymentProvider, desk: LightningDesk | null): PaymentProvider {
  if (desk === null) return withoutLightning(provider)
  return withLightning(provider, { db: desk.db, node: desk.node, nodeId: () => desk.watch.nodeId() })
}

/** What follows the operator's wallets and the Lightning node. */
export function treasuryOf(
  ground: Pick<Ground, 'db' | 'runtimeOnDatabaseTime'>,
  modules: { readonly bitcoin: Bitcoin; readonly lightning: Lightning | null; readonly payments: PaymentsContext },
): TreasuryContext {
  const { bitcoin, lightning, payments } = modules
  const { sources, movements, depositCoins, wallet } = bitcoin
  return treasuryContext({
    db: ground.db,
    runtime: ground.runtimeOnDatabaseTime,
    sources,
    lightning: lightning?.node ?? null,
    movements,
    bookUnknown: (tx, output, holder) => bookUnknown(payments, tx, output, holder),
    ...(depositCoins === undefined
      ? {}
      : { deposits: { list: () => depositCoins.list(), estimateFee: () => wallet.estimateFee() } }),
  })
}
