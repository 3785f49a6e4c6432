import { useId } from 'react'
import type { DoneProof, ProofState } from '../../../proof/draw-check.ts'
import { Button } from '@fairball/ui/button.tsx'
import { Card } from '@fairball/ui/card.tsx'
import { DownloadIcon, RefreshIcon } from '@fairball/ui/icons.tsx'
import { PROOF_TEXTS } from '../proof-messages.ts'
import { type FileOf, saveBundle, saveTrust } from '../save-proof.ts'
import styles from './keep-card.module.css'

/** Props of {@link KeepCard}. */
interface KeepCardProps {
  state: ProofState
  /** The draw whose files these are. */
  of: FileOf
  onCheckAgain: () => void
}

/** The files of a check to keep; in their place, but disabled, until it has ended. */
export function KeepCard({ state, of, onCheckAgain }: KeepCardProps) {
  const waitId = useId()
  return (
    <Card title={PROOF_TEXTS.keep} lead={PROOF_TEXTS.keepLead} className={styles['keep']}>
      {state.kind === 'done' ? (
        <Files proof={state} of={of} onCheckAgain={onCheckAgain} />
      ) : (
        <>
          <div className={styles['actions']}>
            <Button icon={<DownloadIcon size={18} />} disabled aria-describedby={waitId}>
              {PROOF_TEXTS.downloadBundle}
            </Button>
            {state.kind === 'running' && (
              <Button variant="soft" icon={<RefreshIcon size={18} />} busy>
                {PROOF_TEXTS.checkAgain}
              </Button>
            )}
          </div>
          <p id={waitId} className={styles['note']}>
            {PROOF_TEXTS.keepWhenDone}
          </p>
        </>
      )}
    </Card>
  )
}

function Files({
  proof: { proof, bundle, trust },
  of,
  onCheckAgain,
}: {
  proof: DoneProof
  of: FileOf
  onCheckAgain: () => void
}) {
  return (
    <>
      <div className={styles['actions']}>
        <Button
          variant={proof.evidence === null ? 'primary' : 'secondary'}
          icon={<DownloadIcon size={18} />}
          onClick={() => void saveBundle(of, bundle)}
        >
          {PROOF_TEXTS.downloadBundle}
        </Button>
        <Button variant="soft" icon={<RefreshIcon size={18} />} onClick={onCheckAgain}>
          {PROOF_TEXTS.checkAgain}
        </Button>
      </div>
      {bundle.papers.length > 0 && <p className={styles['note']}>{PROOF_TEXTS.bundlePrivate}</p>}
      <div className={styles['trust']}>
        <p className={styles['note']}>{PROOF_TEXTS.keepTrust}</p>
        <Button
          variant="secondary"
          size="small"
          icon={<DownloadIcon size={18} />}
          onClick={() => void saveTrust(of, trust)}
        >
          {PROOF_TEXTS.downloadTrust}
        </Button>
      </div>
    </>
  )
}
