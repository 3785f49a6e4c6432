import { useMutation } from '@tanstack/react-query'
import { useClock } from '../../../shared/use-clock.ts'
import { usePlayerView } from '../../../shared/player-view.ts'
import { useSession } from '../../../shared/session/use-session.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { saveFile } from '@fairball/ui/save-file.ts'
import { csvOf, drawSheet } from '../draw-sheet.ts'
import { DRAWS_TEXTS } from '../messages.ts'
import { useAllDraws } from '../use-draws.ts'
import styles from './downloads.module.css'

const WORKBOOK = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** Two buttons that give the whole draw history as a file: a workbook, or comma-separated text. */
export function Downloads({ gameKey, gameName }: { gameKey: string; gameName: string }) {
  const clock = useClock()
  const { currencyCode } = useSession()
  const { utcOffsetAt } = usePlayerView()
  const fetchDraws = useAllDraws(gameKey)
  const download = useMutation({
    mutationFn: async (kind: 'xlsx' | 'csv') => {
      const draws = await fetchDraws()
      const sheet = drawSheet({ gameName, draws, currencyCode, madeAt: clock.now(), utcOffsetAt })
      const name = `${sheet.title}.${kind}`
      if (kind === 'csv') saveFile({ name, type: 'text/csv;charset=utf-8', content: csvOf(sheet) })
      else {
        // The code for workbooks is a quarter of a page's scripts: it is loaded on demand.
        const { workbookOf } = await import('../write-workbook.ts')
        saveFile({ name, type: WORKBOOK, content: await workbookOf(sheet) })
      }
    },
  })
  const isBusy = (kind: 'xlsx' | 'csv') => download.isPending && download.variables === kind
  return (
    <>
      <div className={styles['buttons']}>
        <Button
          variant="soft"
          size="small"
          icon={<DownloadIcon size={18} />}
          busy={isBusy('xlsx')}
          onClick={() => download.mutate('xlsx')}
        >
          <span className={styles['workbook']}>
            {DRAWS_TEXTS.downloadWorkbook} <small>{DRAWS_TEXTS.downloadWorkbookKind}</small>
          </span>
        </Button>
        <Button variant="soft" size="small" busy={isBusy('csv')} onClick={() => download.mutate('csv')}>
          {DRAWS_TEXTS.downloadText}
        </Button>
      </div>
      {download.isError && (
        <Banner kind="danger" live>
          {DRAWS_TEXTS.downloadFailed}
        </Banner>
      )}
    </>
  )
}
