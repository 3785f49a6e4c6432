import { useState, useSyncExternalStore } from 'react'
import { isOfflineWanted, leaveOffline, returnOffline } from '../../../shared/offline/registration.ts'
import { Button } from '@fairball/ui/button.tsx'
import { COOKIES_TEXTS as TEXTS } from '../messages.ts'
import styles from './offline-copy.module.css'

/** The results kept for offline reading: one button deletes them for good, another keeps them again. */
export function OfflineCopy() {
  const [chosen, setIsWanted] = useState<boolean | null>(null)
  // Only the browser knows the choice of an earlier visit.
  const isWanted = useSyncExternalStore(neverChanges, () => chosen ?? isOfflineWanted(), whenUnknown)
  const forget = async () => {
    await leaveOffline()
    setIsWanted(false)
  }
  const keep = async () => {
    await returnOffline()
    setIsWanted(true)
  }
  return (
    <section aria-label={TEXTS.offline} className={styles['copy']}>
      <p role="status">{isWanted ? TEXTS.offlineKept : TEXTS.offlineForgotten}</p>
      {isWanted ? (
        <Button variant="secondary" size="small" onClick={() => void forget()}>
          {TEXTS.offlineForget}
        </Button>
      ) : (
        <Button variant="soft" size="small" onClick={() => void keep()}>
          {TEXTS.offlineAgain}
        </Button>
      )}
    </section>
  )
}

/** Only this page changes the choice. */
const neverChanges = () => () => {}
/** The server's HTML assumes no choice. */
const whenUnknown = () => true
