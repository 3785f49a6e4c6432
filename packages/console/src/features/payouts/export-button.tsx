import { Button } from '@fairball/ui/button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import type { Batch } from '@fairball/contract/console/read'
import { payoutsCsv } from './payouts-csv.ts'

/** Saves the payouts that are shown as a table for other programs. */
export function ExportButton({ batches }: { batches: readonly Batch[] }) {
  const name = batches.length === 1 ? `payouts-${batches[0]?.id.replace(':', '-')}.csv` : 'payouts.csv'
  return (
    <Button
      size="small"
      variant="soft"
      icon={<DownloadIcon size={18} />}
      disabled={batches.length === 0}
      onClick={() => saveFile({ name, type: 'text/csv', content: payoutsCsv(batches) })}
    >
      Export
    </Button>
  )
}
