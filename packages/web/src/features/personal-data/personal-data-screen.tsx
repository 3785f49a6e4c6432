import { PageTitle } from '@fairball/ui/page-title.tsx'
import { CloseAccount } from './components/close-account.tsx'
import { DownloadData } from './components/download-data.tsx'
import { PERSONAL_DATA_TEXTS } from './messages.ts'
import styles from './personal-data-screen.module.css'

/** The data about the player: to download, and to delete by closing the account. */
export function PersonalDataScreen(_props: object) {
  return (
    <>
      <PageTitle lead={PERSONAL_DATA_TEXTS.lead}>{PERSONAL_DATA_TEXTS.title}</PageTitle>
      <div className={styles['blocks']}>
        <DownloadData />
        <CloseAccount />
      </div>
    </>
  )
}
