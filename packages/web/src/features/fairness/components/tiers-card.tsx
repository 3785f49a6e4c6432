import type { Report } from '@fairball/domain/fairness/report'
import type { ResultTier } from '@fairball/domain/fairness/statements'
import { Card } from '../../../ui/card.tsx'
import { DataTable } from '../../../ui/data-table.tsx'
import type { Column } from '../../../ui/data-table.tsx'
import { Tag } from '../../../ui/tag.tsx'
import { PROOF_TEXTS } from '../messages.ts'

type Tier = NonNullable<Report['tiers']>[number]

/** A tier as it was computed and as it was signed, beside each other. */
interface ComparedTier {
  computed: Tier
  /** undefined where the result has no such tier; null before there is a result */
  signed: ResultTier | null | undefined
}

/** Winners and prizes of each tier: computed here, and as the operator signed them. */
export function TiersCard({
  tiers,
  signed,
}: {
  tiers: readonly Tier[]
  /** null before the result is signed */
  signed: readonly ResultTier[] | null
}) {
  const rows = tiers.map((computed) => ({
    computed,
    signed: signed === null ? null : signed.find((tier) => tier.matches === computed.matches),
  }))
  return (
    <Card title={PROOF_TEXTS.tiers} lead={PROOF_TEXTS.tiersLead}>
      <DataTable caption={PROOF_TEXTS.tiersCaption} rows={rows} rowKey={keyOf} columns={COLUMNS} />
    </Card>
  )
}

const COLUMNS: readonly Column<ComparedTier>[] = [
  {
    heading: PROOF_TEXTS.matches,
    cell: ({ computed }) => <strong>{PROOF_TEXTS.matchCount(computed.matches, computed.kind)}</strong>,
  },
  { heading: PROOF_TEXTS.computed, cell: ({ computed }) => textOf(computed) },
  {
    heading: PROOF_TEXTS.signed,
    cell: ({ signed }) => (signed == null ? PROOF_TEXTS.notSigned : textOf(signed)),
  },
  { heading: PROOF_TEXTS.comparison, cell: (tier) => <Comparison tier={tier} /> },
]

function keyOf({ computed }: ComparedTier): number {
  return computed.matches
}

function Comparison({ tier: { computed, signed } }: { tier: ComparedTier }) {
  if (signed === null) return '–'
  const isSame =
    signed !== undefined &&
    signed.kind === computed.kind &&
    signed.winners === computed.winners &&
    signed.satsEach === computed.satsEach
  return <Tag kind={isSame ? 'success' : 'danger'}>{isSame ? PROOF_TEXTS.same : PROOF_TEXTS.different}</Tag>
}

function textOf({ winners, kind, satsEach }: Tier): string {
  return PROOF_TEXTS.tier(winners, kind, satsEach.toLocaleString('en-US'))
}
