import { errorText } from '../../../shared/api.ts'
import { Banner } from '@fairball/ui/banner.tsx'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { PERSONAL_DATA_TEXTS } from '../messages.ts'
import { useDownloadPersonalData } from '../use-personal-data.ts'
import styles from './personal-data.module.css'

/** Everything about the player as a file. */
export function DownloadData() {
  const download = useDownloadPersonalData()
  return (
    <Card title={PERSONAL_DATA_TEXTS.downloadTitle} lead={PERSONAL_DATA_TEXTS.downloadLead}>
      {download.isError && <Banner kind="danger">{errorText(download.error)}</Banner>}
      {download.isSuccess && (
        <Banner kind="success" live>
          {PERSONAL_DATA_TEXTS.downloaded(download.data)}
        </Banner>
      )}
      <div>
        <Button icon={<DownloadIcon size={20} />} busy={download.isPending} onClick={() => download.mutate()}>
          {PERSONAL_DATA_TEXTS.download}
        </Button>
      </div>
      <p className={styles['note']}>{PERSONAL_DATA_TEXTS.downloadNote}</p>
    </Card>
  )
}
