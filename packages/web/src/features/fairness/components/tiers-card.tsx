import type { Status } from '@fairball/domain/protocol/report'
import type { ResultTier } from '@fairball/domain/protocol/statement-codecs'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { PROOF_TEXTS } from '../messages.ts'
import { OutcomeMark } from './outcome-mark.tsx'

/** Winners and prizes of each tier as the operator signed them, and whether the recount here agrees. */
export function TiersCard({ tiers, status }: { tiers: readonly ResultTier[]; status: Status | null }) {
  return (
    <Card title={PROOF_TEXTS.tiers} lead={PROOF_TEXTS.tiersLead}>
      <OutcomeMark state={status ?? 'unjudged'} />
      <DataTable caption={PROOF_TEXTS.tiersCaption} rows={tiers} rowKey={keyOf} columns={COLUMNS} />
    </Card>
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
