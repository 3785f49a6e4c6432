import type { TestWallet } from '@fairball/contract/calls/demo'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { LINKS_TEXTS } from '../messages.ts'
import { useTestWallet } from '../use-links.ts'
import { writeTime } from '../write-time.ts'
import styles from './test-wallet-card.module.css'

/** Payments in and out of the demo's wallet, and over Lightning if it has a node. */
export function TestWalletCard() {
  return (
    <Card title={LINKS_TEXTS.wallet}>
      <Wallet />
    </Card>
  )
}

function Wallet() {
  const wallet = useTestWallet()
  if (wallet.isPending) return <SkeletonRows rows={2} />
  if (wallet.isError) return <LoadFailed onRetry={() => void wallet.refetch()} />
  const { received, sent, lightning } = wallet.data
  return (
    <>
      <DefinitionList items={[{ term: LINKS_TEXTS.received, value: `${received} BTC` }]} />
      {sent.length === 0 ? (
        <EmptyState text={LINKS_TEXTS.sentEmpty} />
      ) : (
        <DataTable
          caption={LINKS_TEXTS.sent}
          rows={sent}
          rowKey={(payout) => `${payout.txid} ${payout.address}`}
          columns={COLUMNS}
        />
      )}
      {lightning !== null && <OverLightning lightning={lightning} />}
    </>
  )
}

function OverLightning({ lightning: { received, sent } }: { lightning: NonNullable<TestWallet['lightning']> }) {
  return (
    <section aria-labelledby="over-lightning" className={styles['lightning']}>
      <h3 id="over-lightning">{LINKS_TEXTS.lightning}</h3>
      <DefinitionList items={[{ term: LINKS_TEXTS.received, value: `${received} BTC` }]} />
      {sent.length === 0 ? (
        <EmptyState text={LINKS_TEXTS.lightningEmpty} />
      ) : (
        <DataTable
          caption={LINKS_TEXTS.lightningSent}
          rows={sent}
          rowKey={(payment) => payment.payment_hash}
          columns={LIGHTNING_COLUMNS}
        />
      )}
    </section>
  )
}

type Payout = TestWallet['sent'][number]

const COLUMNS: readonly Column<Payout>[] = [
  { heading: LINKS_TEXTS.sentTo, cell: addressCell },
  { heading: LINKS_TEXTS.sentAt, cell: (payout) => writeTime(payout.at) },
  { heading: LINKS_TEXTS.sentAmount, cell: (payout) => `${payout.amount} BTC`, align: 'end' },
]

type Payment = NonNullable<TestWallet['lightning']>['sent'][number]

const LIGHTNING_COLUMNS: readonly Column<Payment>[] = [
  { heading: LINKS_TEXTS.sentTo, cell: (payment) => <span className={styles['address']}>{payment.destination}</span> },
  { heading: LINKS_TEXTS.sentAt, cell: (payment) => writeTime(payment.at) },
  { heading: LINKS_TEXTS.sentAmount, cell: (payment) => `${payment.amount} BTC`, align: 'end' },
  { heading: LINKS_TEXTS.preimage, cell: preimageCell },
]

function preimageCell({ preimage }: Payment) {
  return (
    <span className={styles['preimage']}>
      <Mono text={preimage} />
    </span>
  )
}

function addressCell(payout: Payout) {
  return <Mono text={payout.address} />
}
