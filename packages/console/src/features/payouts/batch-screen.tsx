import { Banner } from '@fairball/ui/banner.tsx'
import { DefinitionList } from '@fairball/ui/definition-list.tsx'
import { Link } from '@fairball/ui/link.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Amount } from '../../shared/amount.tsx'
import { useRead } from '../../shared/api.ts'
import type { AnswerOf } from '../../shared/calls.ts'
import { Loaded } from '../../shared/loaded.tsx'
import { Moment } from '../../shared/moment.tsx'
import { paths } from '../../shared/paths.ts'
import { Columns, Nothing, Part, Screen } from '../../shared/screen.tsx'
import { ActionButton } from '../../shared/signing/action-button.tsx'
import { kindTitle } from '../../shared/signing/sentences.ts'
import { State } from '../../shared/state.tsx'
import { BATCH_STATE_TEXTS } from '../../shared/states.ts'
import { actionsIn } from './batch-states.ts'
import { ExportButton } from './export-button.tsx'
import { PayoutTable } from './payout-table.tsx'
import styles from './payouts.module.css'

type WholeBatch = AnswerOf<'getPayout'>

/** One batch of payouts: whom it pays, where, and what can be done with it. */
export function BatchScreen({ batch }: { batch: string }) {
  const answer = useRead('getPayout', { params: { batch } }, { isRenewed: true })
  return (
    <Loaded of={answer} rows={6}>
      {(whole) => <WholeBatchScreen batch={whole} />}
    </Loaded>
  )
}

function WholeBatchScreen({ batch }: { batch: WholeBatch }) {
  const { id, state, reason, payouts } = batch
  const recent = payouts.filter(({ is_address_recent }) => is_address_recent).length
  return (
    <Screen
      title={`Payout batch ${id}`}
      lead={<Link href={paths.payouts}>All payouts</Link>}
      actions={<Actions batch={batch} />}
    >
      {state === 'HALTED' && <Banner kind="danger">Halted: {reason ?? 'without a reason'}</Banner>}
      {recent > 0 && state === 'WAITING_APPROVAL' && (
        <Banner kind="warning">
          {recent === 1 ? 'One address was' : `${recent} addresses were`} saved less than 72 hours before. Is it the
          player who changed it?
        </Banner>
      )}
      <Part title="Payouts">
        <PayoutTable payouts={payouts} />
      </Part>
      <Columns>
        <Part title="The batch">
          <DefinitionList ruled items={detailsOf(batch)} />
        </Part>
        <Part title="What people did">
          {batch.audit.length === 0 ? (
            <Nothing>Nobody has done anything with it by hand.</Nothing>
          ) : (
            <ul className={styles['audit']}>
              {batch.audit.map(({ id: row, at, kind, staff, reason: why }) => (
                <li key={row}>
                  <strong>{kindTitle(kind)}</strong>, {staff?.name ?? 'the server'}, <Moment at={at} />
                  {why !== null && <span className={styles['why']}>{why}</span>}
                </li>
              ))}
            </ul>
          )}
        </Part>
      </Columns>
    </Screen>
  )
}

function detailsOf({ state, created_at, sats, reason, txs }: WholeBatch) {
  const { mood, text } = BATCH_STATE_TEXTS[state]
  return [
    { term: 'State', value: <State mood={mood}>{text}</State> },
    ...(reason === null ? [] : [{ term: 'Why', value: reason }]),
    { term: 'Made', value: <Moment at={created_at} /> },
    { term: 'Amount', value: <Amount sats={sats} /> },
    ...txs.flatMap(({ txid, fee_sats, confirmations }, index) => [
      { term: `Transaction ${index + 1}`, value: <Mono text={txid} /> },
      { term: `Its fee (${index + 1})`, value: <Amount sats={fee_sats} /> },
      {
        term: `Its blocks (${index + 1})`,
        value: confirmations === null ? 'in no block yet' : `${confirmations} deep`,
      },
    ]),
  ]
}

function Actions({ batch }: { batch: WholeBatch }) {
  const { id } = batch
  // A payout over Lightning is neither held nor taken back.
  const isLightning = id.startsWith('ln:')
  const { canApprove, canHold, canRetry, canCancel } = actionsIn(batch.state)
  return (
    <>
      {canApprove && (
        <ActionButton kind="payouts.approve" args={{ batch: id }} variant="primary">
          Approve
        </ActionButton>
      )}
      {canRetry && (
        <ActionButton kind="payouts.retry" args={{ batch: id }} variant="primary">
          Retry
        </ActionButton>
      )}
      {canHold && !isLightning && (
        <ActionButton kind="payouts.hold" args={{ batch: id }}>
          Hold
        </ActionButton>
      )}
      {canCancel && !isLightning && (
        <ActionButton kind="payouts.cancel" args={{ batch: id }} variant="danger">
          Cancel
        </ActionButton>
      )}
      <ExportButton batches={[batch]} />
    </>
  )
}
