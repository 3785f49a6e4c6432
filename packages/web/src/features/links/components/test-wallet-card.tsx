import type { TestWallet } from '@fairball/contract/calls/demo'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { DefinitionList } from '../../../ui/definition-list.tsx'
import { EmptyState, LoadFailed } from '../../../ui/empty-state.tsx'
import { Mono } from '../../../ui/mono.tsx'
import { SkeletonRows } from '../../../ui/skeleton.tsx'
import { LINKS_TEXTS } from '../messages.ts'
import { useTestWallet } from '../use-links.ts'
import { writeTime } from '../write-time.ts'

/** Payments in and out of the demo's wallet. */
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
  const { received, sent } = wallet.data
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
    </>
  )
}

type Payout = TestWallet['sent'][number]

const COLUMNS: readonly Column<Payout>[] = [
  { heading: LINKS_TEXTS.sentTo, cell: addressCell },
  { heading: LINKS_TEXTS.sentAt, cell: (payout) => writeTime(payout.at) },
  { heading: LINKS_TEXTS.sentAmount, cell: (payout) => `${payout.amount} BTC`, align: 'end' },
]

function addressCell(payout: Payout) {
  return <Mono text={payout.address} />
}
