import { LinkButton } from '@fairball/ui/button.tsx'
import { CopyButton } from '@fairball/ui/copy-button.tsx'
import { DownloadIcon } from '@fairball/ui/icons.tsx'
import { Mono } from '@fairball/ui/mono.tsx'
import { Skeleton } from '@fairball/ui/skeleton.tsx'
import { FAIRNESS_TEXTS } from '../messages.ts'
import { useVerifierHash, VERIFIER_ADDRESS } from '../verifier-file.ts'
import styles from './verifier-file.module.css'

/** The stand-alone verifier to save, and its hash to compare. */
export default function VerifierFile() {
  const hash = useVerifierHash()
  if (hash.isPending) return <Skeleton />
  if (hash.data == null) return <p className={styles['missing']}>{FAIRNESS_TEXTS.standaloneMissing}</p>
  return (
    <div className={styles['file']}>
      <p>
        <LinkButton href={VERIFIER_ADDRESS} download variant="secondary" icon={<DownloadIcon size={18} />}>
          {FAIRNESS_TEXTS.standaloneDownload}
        </LinkButton>
      </p>
      <dl>
        <dt>{FAIRNESS_TEXTS.standaloneHash}</dt>
        <dd>
          <Mono text={hash.data} />
          <CopyButton text={hash.data} label={FAIRNESS_TEXTS.standaloneHashLabel} />
        </dd>
      </dl>
    </div>
  )
}
