import { usePlayerView } from '../../../shared/player-view.ts'
import { Card } from '@fairball/ui/card.tsx'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { LoadFailed } from '@fairball/ui/empty-state.tsx'
import { SectionTitle } from '@fairball/ui/page-title.tsx'
import { SkeletonRows } from '@fairball/ui/skeleton.tsx'
import { StackedBar, Swatch } from '@fairball/ui/stacked-bar.tsx'
import { Tag } from '@fairball/ui/tag.tsx'
import { MONEY_TEXTS as TEXTS } from '../messages.ts'
import { solvencyView } from '../solvency-view.ts'
import type { AccountGroup, AccountRow, SolvencyView } from '../solvency-view.ts'
import { useSolvency } from '../use-money.ts'
import styles from './solvency-card.module.css'

/** The operator's assets and debts, as sums over the ledger. */
export function SolvencyCard() {
  const solvency = useSolvency()
  return (
    <section aria-labelledby="solvency">
      <SectionTitle id="solvency">{TEXTS.solvency}</SectionTitle>
      <Card>
        <p>{TEXTS.solvencyLead}</p>
        {solvency.data !== undefined && <Figures view={solvencyView(solvency.data)} />}
        {solvency.isPending && <SkeletonRows rows={6} />}
        {solvency.isLoadingError && <LoadFailed onRetry={() => void solvency.refetch()} />}
        <p className={styles['how']}>{TEXTS.solvencyHow}</p>
      </Card>
    </section>
  )
}

function Figures({ view }: { view: SolvencyView }) {
  const { isSolvent, walletBtc, neededBtc, ownBtc, groups, freeTickets, readAt } = view
  const { dateTime } = usePlayerView()
  const kind = isSolvent === null ? 'warning' : isSolvent ? 'success' : 'danger'
  return (
    <>
      <p className={styles['verdict']}>
        <Tag kind={kind}>{TEXTS.verdicts[kind].name}</Tag>
        {TEXTS.verdicts[kind].text}
      </p>
      <dl className={styles['figures']}>
        {[
          { name: TEXTS.wallet, btc: walletBtc },
          { name: TEXTS.needed, btc: neededBtc },
          { name: TEXTS.own, btc: ownBtc },
        ].map(({ name, btc }) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{btc === null ? TEXTS.walletUnknown : TEXTS.btc(btc)}</dd>
          </div>
        ))}
      </dl>
      {readAt !== null && <p>{TEXTS.compared(view.ledgerBtc, view.differenceBtc, dateTime(readAt))}</p>}
      {groups.some(({ percent }) => percent > 0) && (
        <div className={styles['bar']}>
          <p aria-hidden="true">{TEXTS.needed}</p>
          <StackedBar parts={groups} />
        </div>
      )}
      <ul className={styles['groups']}>
        {groups.map((group) => (
          <li key={group.name}>
            <Group group={group} />
          </li>
        ))}
      </ul>
      <p>{TEXTS.freeTickets(freeTickets)}</p>
    </>
  )
}

function Group({ group }: { group: AccountGroup }) {
  return (
    <>
      <h3 className={styles['name']}>
        {!group.isOwn && <Swatch tone={group.tone} />}
        {group.name}
        <span>{TEXTS.btc(group.btc)}</span>
      </h3>
      <DataTable caption={group.name} columns={COLUMNS} rows={group.rows} rowKey={({ kind }) => kind} />
    </>
  )
}

const COLUMNS: readonly Column<AccountRow>[] = [
  { heading: TEXTS.account, cell: ({ name }) => <strong className={styles['account']}>{name}</strong> },
  { heading: TEXTS.meaning, cell: ({ meaning }) => meaning },
  { heading: TEXTS.amount, align: 'end', cell: ({ btc }) => btc },
]
