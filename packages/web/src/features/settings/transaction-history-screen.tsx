import { paths } from '../../shared/paths.ts'
import { LinkButton } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { EmptyState, LoadFailed } from '@fairball/ui/empty-state.tsx'
import { PageTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { ListPages } from './components/list-pages.tsx'
import { TransactionTable } from './components/transaction-table.tsx'
import { SETTINGS_TEXTS } from './messages.ts'
import { useTransactions } from './use-transactions.ts'

/** Payments, refunds and prizes, newest first. */
export function TransactionHistoryScreen({ page }: { page: number }) {
  return (
    <>
      <PageTitle>{SETTINGS_TEXTS.transactionsTitle}</PageTitle>
      <Transactions page={page} />
    </>
  )
}

function Transactions({ page }: { page: number }) {
  const transactions = useTransactions(page)
  if (transactions.isPending) {
    return (
      <Card>
        <SkeletonRows rows={5} />
      </Card>
    )
  }
  if (transactions.isLoadingError) return <LoadFailed onRetry={() => void transactions.refetch()} />
  const { results, total_pages: totalPages } = transactions.data
  return (
    <>
      {results.length === 0 ? (
        <EmptyState
          text={SETTINGS_TEXTS.transactionsEmpty}
          action={<LinkButton href={paths.home()}>{SETTINGS_TEXTS.seeGames}</LinkButton>}
        />
      ) : (
        <Card>
          <TransactionTable rows={results} />
        </Card>
      )}
      <ListPages
        page={page}
        totalPages={totalPages}
        hrefOf={paths.transactions}
        label={SETTINGS_TEXTS.transactionsPages}
      />
    </>
  )
}
