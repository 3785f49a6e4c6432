import type { Status } from '@fairball/domain/protocol/report'
import type { ResultTier } from '@fairball/domain/protocol/statement-codecs'
import { DataTable } from '@fairball/ui/data-table.tsx'
import type { Column } from '@fairball/ui/data-table.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { OutcomeMark } from './outcome-mark.tsx'

/** Winners and prizes of each tier as the operator signed them, and whether the recount here agrees. */
export function TiersTable({ tiers, status }: { tiers: readonly ResultTier[]; status: Status | null }) {
  return (
    <>
      <p>{PROOF_TEXTS.tiersLead}</p>
      <OutcomeMark state={status ?? 'unjudged'} />
      <DataTable caption={PROOF_TEXTS.tiersCaption} rows={tiers} rowKey={keyOf} columns={COLUMNS} />
    </>
  )
}

const COLUMNS: readonly Column<ResultTier>[] = [
  {
    heading: PROOF_TEXTS.matches,
    cell: ({ matches, kind }) => <strong>{PROOF_TEXTS.matchCount(matches, kind)}</strong>,
  },
  {
    heading: PROOF_TEXTS.signed,
    cell: ({ winners, kind, each }) => PROOF_TEXTS.tier(winners, kind, each.toLocaleString('en-US')),
  },
]

function keyOf({ matches }: ResultTier): number {
  return matches
}
